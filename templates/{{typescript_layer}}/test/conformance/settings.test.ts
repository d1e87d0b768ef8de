import { expect, test } from "vitest";

import {
  allowed,
  DEFAULTS,
  ENV_PREFIX,
  envName,
  loadSettings,
  reason,
  SETTING_NAMES,
  wordedName,
} from "../../src/rag/config.ts";
import { loadVectors } from "./vectors.ts";

type Vectors = {
  readonly settings: readonly {
    readonly name: string;
    readonly variable: string;
    readonly reason: string;
    readonly allowed?: string;
    readonly default?: string | number;
  }[];
  readonly variables: readonly {
    readonly setting: string;
    readonly text: string;
    readonly value?: string | number;
    readonly error?: string;
  }[];
};

const vectors = loadVectors<Vectors>("settings");

function settingOf(name: string) {
  const setting = SETTING_NAMES.find((each) => wordedName(each) === name);
  return setting ?? expect.fail(`no setting ${name}`);
}

test("the settings are the same, in the same order", () => {
  expect(SETTING_NAMES.map(wordedName)).toEqual(vectors.settings.map(({ name }) => name));
});

test.each(vectors.settings)("$name has the same variable, reason, range and default", (row) => {
  const setting = settingOf(row.name);
  expect(envName(setting)).toBe(ENV_PREFIX + row.variable);
  expect(reason(setting)).toBe(row.reason);
  if (row.allowed !== undefined) expect(allowed(setting)).toBe(row.allowed);
  if (row.default !== undefined) expect(DEFAULTS[setting]).toBe(row.default);
});

test.each(vectors.variables)("$setting of $text", ({ setting, text, value, error }) => {
  const name = settingOf(setting);
  const load = () =>
    loadSettings({ [envName("chunkOverlapChars")]: "0", [envName(name)]: text }, "no-such-file");
  if (error === undefined) expect(load()[name]).toBe(value === 0 ? 0 : value);
  else expect(load).toThrow(ENV_PREFIX + error);
});
