// Formatting is Biome's; `npm run format` writes it.

import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["evals/", "conformance/", "build/", "coverage/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  tseslint.configs.recommendedTypeChecked,
  { languageOptions: { parserOptions: { projectService: true } } },
  { files: ["**/*.js"], extends: [tseslint.configs.disableTypeChecked] },
  {
    rules: {
      "no-console": "off",
      "@typescript-eslint/consistent-type-definitions": ["error", "type"],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "@typescript-eslint/restrict-template-expressions": "off",
    },
  },
  // An adapter is asynchronous because its seam is, and a test's fake likewise.
  { files: ["**/*.ts"], rules: { "@typescript-eslint/require-await": "off" } },
);
