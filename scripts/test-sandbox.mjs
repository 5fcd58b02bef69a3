// `npm run test:sandbox [-- ARGUMENTS OF VITEST]`: the tests of sandboxes. Installs bubblewrap first if it is missing,
// and fails if that is not possible: a skipped test would look like a sandbox that holds.
import { inRoot, root } from './lib/paths.mjs';
import { capture, localBin, run } from './lib/run.mjs';

const isThere = async () => (await capture('bwrap', ['--version']).catch(() => ({ code: 1 }))).code === 0;

if (!(await isThere())) {
  console.log('installing bubblewrap');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await capture('apt-get', ['update', '-qq']).catch(() => {});
  if (isRoot) await capture('apt-get', ['install', '-y', '-qq', 'bubblewrap']).catch(() => {});
}
if (!(await isThere())) {
  console.error(
    'NOT RUN: bubblewrap is missing and could not be installed. Install it (`apt-get install bubblewrap`), and run the tests again.',
  );
  process.exit(1);
}
const setupCode = await run(process.execPath, [inRoot('scripts/setup.mjs')]);
process.exitCode =
  setupCode ||
  (await run(localBin('vitest'), ['run', '--project', 'sandbox', ...process.argv.slice(2)], { cwd: root }));
