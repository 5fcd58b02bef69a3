#!/usr/bin/env node
import { isVersionRequest, printVersion } from './cli/version.ts';

if (isVersionRequest(process.argv)) {
  printVersion();
} else {
  const { main } = await import('./cli/main.ts');
  process.exitCode = await main(process.argv);
}
