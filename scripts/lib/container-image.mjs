import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
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

/** An image made without a registry: some programs of this machine, with their libraries. */
export const TEST_IMAGE = { name: 'localhost/assay-test:1', programs: [process.execPath, 'git', 'busybox'] };

/** The image in which real agents run: their shells need more programs. */
export const AGENTS_IMAGE = {
  name: 'localhost/assay-agents:1',
  programs: ['bash', 'curl', 'ps', ...TEST_IMAGE.programs],
};

/** Makes an image unless podman has it. Returns what went wrong. */
export function makeImage({ name, programs }) {
  if (spawnSync('podman', ['image', 'inspect', name]).status === 0) return undefined;
  const root = mkdtempSync(join(tmpdir(), 'assay-image-'));
  try {
    // For other accounts than root too.
    chmodSync(root, 0o755);
    fill(root, programs);
    const packed = spawnSync('tar', ['-cf', `${root}.tar`, '-C', root, '.']);
    if (packed.status !== 0) return String(packed.stderr);
    const made = spawnSync('podman', ['import', `${root}.tar`, name]);
    return made.status === 0 ? undefined : String(made.stderr ?? made.error);
  } catch (error) {
    return String(error);
  } finally {
    rmSync(root, { recursive: true, force: true });
    rmSync(`${root}.tar`, { force: true });
  }
}

function fill(root, programs) {
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
  for (const path of ['tmp', 'var/tmp']) chmodSync(join(root, path), 0o1777);
  for (const program of programs) {
    const path = pathOf(program);
    bring(path, root);
    for (const library of librariesOf(path)) bring(library, root);
  }
  for (const library of partsOfGlibc()) bring(library, root);
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

/** What every image with glibc has, and programs of this machine may need. */
function partsOfGlibc() {
  const libc = librariesOf(process.execPath).find((path) => /\/libc\.so/.test(path));
  if (libc === undefined) return [];
  const names = ['librt.so.1', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'];
  return names.map((name) => join(dirname(libc), name)).filter((path) => existsSync(path));
}

function librariesOf(program) {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path);
}
