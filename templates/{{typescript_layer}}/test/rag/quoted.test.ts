import { expect, test } from "vitest";
import { quoted } from "../../src/rag/quoted.ts";

test.each([
  ["plain é 退", "'plain é 退'"],
  ["it's", `"it's"`],
  [`it's "so"`, `'it\\'s "so"'`],
  ["a\\b\n\t\r", "'a\\\\b\\n\\t\\r'"],
  ["\x00\x7f\xa0\u2028\u{e0001}", "'\\x00\\x7f\\xa0\\u2028\\U000e0001'"],
])("%j is shown as %s", (text, shown) => {
  expect(quoted(text)).toBe(shown);
});
