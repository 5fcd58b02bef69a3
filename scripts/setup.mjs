// Prepares a checkout: installs dependencies and builds dist. Quiet and quick if nothing changed.
// Plain Node without dependencies, because it runs before they are installed.
import { existsSync, rmSync } from 'node:fs';
import { alone } from './lib/lock.mjs';
import { inRoot } from './lib/paths.mjs';
import { npm, run } from './lib/run.mjs';
import { isBuilt, isInstalled, markInstalled } from './lib/stamp.mjs';

const oldest = [20, 19];

checkNode();
if (!isReady()) process.exitCode = await alone(async () => (await install()) || (await build()));

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  console.error(`assay needs Node.js ${oldest.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

function isReady() {
  return isInstalled() && isWhole();
}

async function install() {
  if (isInstalled()) return 0;
  console.error('installing dependencies');
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await run(npm.command, [...npm.args, ...args], {
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (code === 0) markInstalled();
  else rmSync(inRoot('node_modules/.assay-setup'), { force: true });
  return code;
}

/** Whether the build has declarations. Tests of the program do not need them, but the package does. */
function isWhole() {
  return isBuilt() && existsSync(inRoot('dist/types'));
}

async function build() {
  if (isWhole()) return 0;
  // Type errors must not prevent a run. `npm run check` reports them.
  return await run(process.execPath, [inRoot('scripts/build.mjs'), '--types=warn'], {
    stdio: ['ignore', 2, 2],
  });
}
