// Formatting is Biome's; `npm run format` writes it.

import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const unused = { argsIgnorePattern: "^_", varsIgnorePattern: "^_" };

export default defineConfig(
  { ignores: ["evals/", "conformance/", "build/", "coverage/", "dist/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  tseslint.configs.recommended,
  {
    rules: {
      eqeqeq: "error",
      "@typescript-eslint/consistent-type-definitions": ["error", "type"],
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      "@typescript-eslint/no-unused-vars": ["error", unused],
    },
  },
  {
    files: ["**/*.ts"],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/only-throw-error": "error",
    },
  },
);
