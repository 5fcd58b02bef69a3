#!/usr/bin/env node
import { printBuiltHelp } from './cli/built-help.ts';
import { tellOfOutputErrors } from './cli/output-errors.ts';
import { isVersionRequest, printVersion } from './cli/version.ts';

const MOST_YOUNG_BYTES = 32e6;

tellOfOutputErrors();
if (isVersionRequest(process.argv)) {
  printVersion();
} else if (!printBuiltHelp(process.argv)) {
  keepCompiled();
  keepMemorySmall();
  const { main } = await import('./cli/main.ts');
  process.exitCode = await main(process.argv);
}

/** From Node 22 on: compiled code is kept for the next start, in the folder that Node has for it. */
function keepCompiled(): void {
  const { enableCompileCache } = process.getBuiltinModule('node:module') as {
    readonly enableCompileCache?: () => unknown;
  };
  enableCompileCache?.();
}

/** Garbage may grow to 0.7 of what is in use; V8 alone lets it grow to three times that, and saves 3 % of the time. */
function keepMemorySmall(): void {
  const v8 = process.getBuiltinModule('node:v8');
  v8.setFlagsFromString('--heap-growing-percent=70');
  // The space of young objects ends at 32 MB on Node 20 and at 128 MB on Node 24, which saves 2 % of the time there.
  // How large it may be is decided before any code runs; how fast it grows is not.
  const watch = setInterval(() => {
    const young = v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    if (young !== undefined && young.space_size < MOST_YOUNG_BYTES) return;
    v8.setFlagsFromString('--semi-space-growth-factor=1');
    clearInterval(watch);
  }, 20).unref();
}
