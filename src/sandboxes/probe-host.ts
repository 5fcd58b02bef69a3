// Runs inside a sandbox: tries everything in `ESCAPES` and `NEEDS`, and prints what it could do as one line of JSON.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type NetConnectOpts } from 'node:net';
import { networkInterfaces, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import process, { stdout } from 'node:process';

// Only types: this file is all that is mounted.
import type { Probe, ProbeFacts } from './probes.ts';

const facts = JSON.parse(process.argv[2] ?? '{}') as ProbeFacts;
const { workspace, home, beside, operatorHome, token, port, marks } = facts;
const canary = join(beside, 'canary');

/** Each returns, or throws if it was not possible; `false` means the same. */
const attempts: Readonly<Record<Probe, () => unknown>> = {
  'run-shell': () => spawnSync('sh', ['-c', 'exit 7']).status === 7,
  'read-system': () => readdirSync('/usr/bin').length > 0,
  'write-workspace': () => writeFileSync(join(workspace, 'probe'), ''),
  'write-home': () => writeFileSync(join(home, 'probe'), ''),
  'write-temporary': () => writeFileSync(join(tmpdir(), `probe-${token}`), ''),
  'know-user': () => userInfo().username !== '',
  'own-server': ownServer,
  'read-beside': () => readFileSync(canary),
  'list-beside': () => readdirSync(beside),
  'read-other-workspace': () => readFileSync(join(beside, 'other', 'canary')),
  'read-operator-home': () => isHosts(operatorHome) && readdirSync(operatorHome).length > 0,
  'read-passwords': () => isHosts('/etc/shadow') && readFileSync('/etc/shadow'),
  'read-by-link': () => readBy(symlinkSync, 'link'),
  'read-by-hard-link': () => readBy(linkSync, 'hard-link'),
  'read-by-first-process': () => readFileSync(`/proc/1/root${canary}`),
  'read-shared-memory': () => readFileSync(`/dev/shm/${token}`),
  'see-processes': () => ofProcesses('cmdline').some((text) => text.includes(`ARG-${token}`)),
  'read-environment': () => ofProcesses('environ').some((text) => text.includes(`ENV-${token}`)),
  // The write may succeed in a private folder of the sandbox. The caller checks whether the file exists outside.
  'write-beside': () => writeFileSync(join(beside, 'written'), ''),
  'write-system': () => openForWriting('/usr/bin/env'),
  'write-settings': () => openForWriting('/etc/passwd'),
  'write-root': () => writeFileSync(`/probe-${token}`, ''),
  'set-kernel': () => openForWriting('/proc/sys/kernel/hostname'),
  'make-mount': mounts,
  'make-device': () => spawnSync('mknod', [join(workspace, 'device'), 'c', '1', '3']).status === 0,
  'see-disks': () => readdirSync('/dev').some((name) => statSync(`/dev/${name}`).isBlockDevice()),
  'have-capabilities': () => !/^CapEff:\s*0+$/m.test(status()),
  'gain-rights': () => !/^NoNewPrivs:\s*1$/m.test(status()),
  'reach-loopback': () => reaches({ host: '127.0.0.1', port }),
  'reach-network': () =>
    Object.values(networkInterfaces()).some((all) => all?.some((each) => !each.internal)),
  'reach-abstract-socket': () => reaches({ path: `\0${token}` }),
  'reach-socket': () => reaches({ path: join(beside, 's') }),
  'reach-engine': () => ['/run/docker.sock', '/run/podman/podman.sock'].some(existsSync),
};

const could: Partial<Record<string, boolean>> = {};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    could[name] = (await attempt()) !== false;
  } catch {
    could[name] = false;
  }
}
stdout.write(`${JSON.stringify(could)}\n`);

/** Whether it is the file of the machine: an image has files of the same names. */
function isHosts(path: string): boolean {
  const { dev, ino } = statSync(path);
  return marks[path] === `${dev}:${ino}`;
}

function readBy(link: (from: string, to: string) => void, name: string): Buffer {
  const path = join(workspace, name);
  link(canary, path);
  return readFileSync(path);
}

function ofProcesses(file: 'cmdline' | 'environ'): readonly string[] {
  const own = String(process.pid);
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== own)
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/${file}`, 'latin1')];
      } catch {
        return [];
      }
    });
}

function openForWriting(path: string): void {
  closeSync(openSync(path, 'r+'));
}

function mounts(): boolean {
  const path = join(workspace, 'mounted');
  mkdirSync(path);
  const { status: code } = spawnSync('mount', ['-t', 'tmpfs', 'none', path]);
  spawnSync('umount', [path]);
  return code === 0;
}

function status(): string {
  return readFileSync('/proc/self/status', 'utf8');
}

function reaches(place: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...place, timeout: 2_000 });
    const settle = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}

async function ownServer(): Promise<boolean> {
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const isReached =
    typeof address === 'object' &&
    address !== null &&
    (await reaches({ host: '127.0.0.1', port: address.port }));
  server.close();
  return isReached;
}
