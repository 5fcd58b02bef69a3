import { spawnSync } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The image of the tests, made without a registry: busybox, Node and git of this machine, with their libraries. */
export const TEST_IMAGE = 'localhost/assay-test:1';

const PROGRAMS = [process.execPath, 'git', 'busybox'];

/** Makes the image unless the engine has it. Returns what went wrong. */
export function makeTestImage(engine = 'podman') {
  if (spawnSync(engine, ['image', 'inspect', TEST_IMAGE]).status === 0) return undefined;
  const root = mkdtempSync(join(tmpdir(), 'assay-image-'));
  try {
    fill(root);
    const packed = spawnSync('tar', ['-cf', `${root}.tar`, '-C', root, '.']);
    if (packed.status !== 0) return String(packed.stderr);
    const made = spawnSync(engine, ['import', `${root}.tar`, TEST_IMAGE]);
    return made.status === 0 ? undefined : String(made.stderr ?? made.error);
  } catch (error) {
    return String(error);
  } finally {
    rmSync(root, { recursive: true, force: true });
    rmSync(`${root}.tar`, { force: true });
  }
}

function fill(root) {
  for (const path of ['/bin', '/sbin', '/lib', '/lib64']) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) symlinkSync(readlinkSync(path), join(root, path));
    else if (found !== undefined) mkdirSync(join(root, path), { recursive: true });
  }
  for (const path of [
    '/usr/bin',
    '/usr/sbin',
    '/usr/lib',
    '/usr/lib64',
    '/etc',
    '/root',
    '/home',
    '/proc',
    '/sys',
    '/dev',
    '/run',
    '/tmp',
    '/var/tmp',
  ])
    mkdirSync(join(root, path), { recursive: true });
  for (const program of PROGRAMS) {
    const path = pathOf(program);
    bring(path, root);
    for (const library of librariesOf(path)) bring(library, root);
  }
  const applets = spawnSync(pathOf('busybox'), ['--list'], { encoding: 'utf8' }).stdout.trim().split('\n');
  for (const name of applets.filter((each) => each !== 'busybox')) {
    const path = join(root, 'usr/bin', name);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) symlinkSync(pathOf('busybox'), path);
  }
  const account = `:x:${process.getuid()}:${process.getgid()}::/root:/bin/sh\n`;
  writeFileSync(join(root, 'etc/passwd'), `tester${account}`);
  writeFileSync(join(root, 'etc/shadow'), 'tester:*:1::::::\n');
}

/** Copies a file to the same path, through links. */
function bring(path, root) {
  const to = join(root, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(realpathSync(path), to);
}

function pathOf(program) {
  if (program.startsWith('/')) return program;
  const { stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' });
  if (stdout.trim() === '') throw new Error(`${program} is not installed`);
  return stdout.trim();
}

function librariesOf(program) {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path);
}
