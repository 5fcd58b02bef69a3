import { createRequire } from 'node:module';

import type * as Jiti from 'jiti';

/** The loader of modules in TypeScript. Loading it takes longer than most commands; with `import`, three times as long. */
export function moduleLoader(): typeof Jiti {
  return createRequire(import.meta.url)('jiti') as typeof Jiti;
}
