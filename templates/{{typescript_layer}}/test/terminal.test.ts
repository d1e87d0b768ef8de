import { expect, test } from "vitest";
import { clean, formatTable, snippet } from "../src/terminal.ts";

test("control codes are taken out, line ends and tabs stay", () => {
  expect(clean("a\x1b[31m\x00\r\nb\tc\x9b\x7f")).toBe("a[31m\nb\tc");
});

test("a snippet is one line of 200 characters at most, cut between characters", () => {
  expect(snippet(" a\n b\t c ")).toBe("a b c");
  expect([...snippet("😀".repeat(300))].length).toBe(200);
  expect(snippet("😀".repeat(300))).toMatch(/^(😀)+…$/u);
});

test("columns are as wide as their cells", () => {
  const rows = [
    ["a", "bb"],
    ["ccc", "d"],
  ];
  expect(formatTable(rows, 80)).toEqual(["a    bb", "ccc  d"]);
});

test("letters that take two cells are counted so", () => {
  expect(
    formatTable(
      [
        ["水", "x"],
        ["ab", "y"],
      ],
      80,
    ),
  ).toEqual(["水  x", "ab  y"]);
});

test("what does not fit goes on below, and no line is longer than the terminal", () => {
  const words = "one two three four five six seven eight nine ten ".repeat(3);
  const rows = [
    ["id", "text", "more"],
    ["1", words, words],
    ["2", "z".repeat(90), "short"],
  ];
  const lines = formatTable(rows, 60);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  expect(lines.join(" ").match(/seven/g)?.length).toBe(6);
  expect(lines.join("").match(/z/g)?.length).toBe(90);
});

test("a terminal that is too narrow for every column is no endless loop", () => {
  expect(formatTable([["aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"]], 10).length).toBe(2);
});
