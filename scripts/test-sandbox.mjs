// `npm run test:sandbox [-- ARGUMENTS OF VITEST]`: the tests of sandboxes. Installs bubblewrap and podman first if they are
// missing, and makes an image. Fails if that is not possible: a skipped test would look like a sandbox that holds.
import { makeImage, TEST_IMAGE } from './lib/container-image.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { capture, localBin, run } from './lib/run.mjs';

const PACKAGES = {
  bwrap: 'bubblewrap',
  podman: 'podman',
  runc: 'runc',
  busybox: 'busybox-static',
  newuidmap: 'uidmap',
  useradd: 'passwd',
  setpriv: 'util-linux',
  git: 'git',
};

const missing = async () => {
  const absent = [];
  for (const [program, name] of Object.entries(PACKAGES))
    if ((await capture('sh', ['-c', `command -v ${program}`])).code !== 0) absent.push(name);
  return absent;
};

const needed = await missing();
if (needed.length > 0 && process.getuid?.() === 0) {
  console.log(`installing ${needed.join(', ')}`);
  await capture('apt-get', ['update', '-qq']);
  await capture('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...needed]);
}
const left = await missing();
if (left.length > 0)
  fail(
    `these packages are missing and could not be installed: ${left.join(', ')}. Install them with apt-get`,
  );
const fault = makeImage(TEST_IMAGE);
if (fault !== undefined) fail(`podman could not make the image of the tests: ${fault}`);

function fail(why) {
  console.error(`NOT RUN: ${why}, and run the tests again.`);
  process.exit(1);
}

const setupCode = await run(process.execPath, [inRoot('scripts/setup.mjs')]);
process.exitCode =
  setupCode ||
  (await run(localBin('vitest'), ['run', '--project', 'sandbox', ...process.argv.slice(2)], { cwd: root }));
