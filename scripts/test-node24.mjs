// `npm run test:node24`: the tests with Node 24, arguments go to vitest.
import { dirname, delimiter } from 'node:path';
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';
import { nodeOf } from './node-versions.mjs';

const node = await nodeOf('24');
// First on PATH, so that programs with `#!/usr/bin/env node` also use it.
const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
const setupCode = await run(process.execPath, [inRoot('scripts/setup.mjs')]);
const asked = process.argv.slice(2);
const projects = asked.includes('--project') ? asked : ['--project', '!sandbox', ...asked];
process.exitCode =
  setupCode || (await run(node, [inRoot('node_modules/vitest/vitest.mjs'), 'run', ...projects], { env }));
