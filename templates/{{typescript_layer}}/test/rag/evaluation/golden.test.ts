/** Golden queries are read strictly: a fault names its file and line. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  judgedOf,
  loadGolden,
  unanswerableOf,
  unjudgedOf,
} from "../../../src/rag/evaluation/golden.ts";
import { emptyFolder } from "../../fixtures/folder.ts";
import { documentsOf } from "./queries.ts";

const KNOWN = documentsOf({ "a.md": "1", "b.md": "2" });
const GOOD = '{"id": "q1", "text": "pump", "relevant": {"a.md": 2}}';

function written(...lines: readonly (string | Buffer)[]): string {
  const path = join(emptyFolder(), "queries.jsonl");
  writeFileSync(
    path,
    Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from("\n")])),
  );
  return path;
}

test.each([
  ['{"id": "q2", "text": "valve", "relevant": {"c.md": 1}}', "'c.md'"],
  ['{"id": "q2", "text": "valve"', "malformed"],
  ["not json", "malformed"],
  ['["q2", "valve"]', "expected object"],
  ['{"id": "q1", "text": "valve"}', "line 1 already"],
  ['{"id": "q2", "text": "valve", "relevent": {}}', '"relevent"'],
  ['{"id": "q2", "text": "valve", "relevant": {"a.md": 0}}', ">=1"],
  ['{"id": "q2", "text": "valve", "relevant": {"a.md": -1}}', ">=1"],
  ['{"id": "q2", "text": "valve", "relevant": {"a.md": 1.5}}', "expected int"],
  ['{"id": "q2", "text": "valve", "relevant": {"a.md": true}}', "$.relevant.a.md"],
  ['{"id": "q2", "text": "valve", "relevant": {"a.md": "2"}}', "$.relevant.a.md"],
  ['{"id": "q2", "text": "valve", "relevant": ["a.md"]}', "expected record"],
  ['{"id": 2, "text": "valve"}', "expected string"],
  ['{"id": "", "text": "valve"}', "$.id"],
  ['{"id": "q2", "text": "  "}', "not blanks"],
  ['{"id": "q2"}', "$.text"],
  [
    '{"id": "q2", "text": "valve", "relevant": {"a.md": 1}, "answerable": false}',
    "nothing answers",
  ],
])("a faulty line is refused by number: %s", (line, what) => {
  const path = written(GOOD, "", line);
  const load = () => loadGolden(path, KNOWN);
  expect(load).toThrow(`${path}:3: `);
  expect(load).toThrow(what);
});

test("a line that is not UTF-8 is refused by number", () => {
  const path = written(GOOD, Buffer.from('{"id": "q2", "text": "caf\xe9"}', "latin1"));
  expect(() => loadGolden(path, KNOWN)).toThrow(`${path}:2: not UTF-8`);
});

test("a mark at the beginning and line ends of Windows are no fault", () => {
  const path = written(`\ufeff${GOOD}\r`, "\r");
  expect(loadGolden(path, KNOWN).map(({ id }) => id)).toEqual(["q1"]);
});

test.each(["", "\n\n"])("an empty file is refused: %j", (text) => {
  expect(() => loadGolden(written(text), KNOWN)).toThrow("no queries");
});

test("a missing file is refused", () => {
  expect(() => loadGolden(join(emptyFolder(), "none"), KNOWN)).toThrow("No such file");
});

test("queries without a relevant document are told apart", () => {
  const golden = loadGolden(
    written(
      GOOD,
      '{"id": "q2", "text": "moon", "slice": "off", "answerable": false}',
      '{"id": "q3", "text": "valve"}',
    ),
    KNOWN,
  );
  const ids = (queries: typeof golden) => queries.map(({ id }) => id);
  expect(ids(judgedOf(golden))).toEqual(["q1"]);
  expect(ids(unanswerableOf(golden))).toEqual(["q2"]);
  expect(ids(unjudgedOf(golden))).toEqual(["q3"]);
});
