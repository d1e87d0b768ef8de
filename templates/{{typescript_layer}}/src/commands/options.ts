/** Options that several commands have. */

import { InvalidArgumentError, Option } from "commander";

const MOST = 1000;

export function jsonOption(): Option {
  return new Option("--json", "Print one JSON document.").default(false);
}

export function underOption(): Option {
  return new Option("--under <PREFIX>", "Only documents whose id starts with this.");
}

export function topOption(): Option {
  return new Option("-k, --top <INTEGER>", `How many to show. [1 to ${MOST}]`).argParser(
    (text: string) => {
      const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
      if (number >= 1 && number <= MOST) return number;
      throw new InvalidArgumentError(`${text} is not in the range 1 to ${MOST}.`);
    },
  );
}

export function collectionOption(): Option {
  return new Option(
    "--collection <PATH>",
    "A folder with documents and judgements, in this layout or BEIR's.",
  );
}
