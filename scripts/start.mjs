// `npm start`: set up, then run the quickstart as a user would.
import { inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const setupCode = await run(process.execPath, [inRoot('scripts/setup.mjs')]);
if (setupCode !== 0) process.exit(setupCode);

const code = await run(process.execPath, [
  inRoot('dist/bin.js'),
  'run',
  'examples/quickstart',
  ...process.argv.slice(2),
]);
if (code === 1) {
  console.log(
    '\nOne case of the quickstart fails on purpose, to show what a failure looks like; assay itself exited with 1.',
  );
}
process.exitCode = code === 1 ? 0 : code;
