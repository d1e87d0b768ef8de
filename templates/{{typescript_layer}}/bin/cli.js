#!/usr/bin/env node
// Node runs TypeScript as it is from 22.18 on; before that, tsx does.
if (!process.features.typescript) {
  const { register } = await import("tsx/esm/api");
  register();
}
const { main } = await import("../src/cli.ts");
process.exitCode = await main(process.argv.slice(2));
