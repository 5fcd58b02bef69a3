import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { program } from '../../e2e/support/dist.ts';
import { endProcessesOf } from './end-processes-of.ts';

/** How a program of the account ended. */
export interface AccountEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** An account without rights of root, with a range of ids for containers. Disposed, it has no processes and no home. */
export interface Account extends AsyncDisposable {
  readonly name: string;
  readonly home: string;
  run(command: readonly string[], cwd?: string): Promise<AccountEnd>;
  /** Runs the built program. */
  assay(project: string, ...args: string[]): Promise<AccountEnd>;
}

/** The repository, which an account may not be able to read where it is. */
const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** A new account, or the own one if that has no rights of root. */
export function accountWithoutRoot(): Account {
  return process.getuid?.() === 0 ? newAccount() : ownAccount();
}

function newAccount(): Account {
  const name = `assay-test-${randomBytes(4).toString('hex')}`;
  const root = mkdtempSync(join(tmpdir(), 'assay-account-'));
  try {
    return madeAccount(name, root);
  } catch (error) {
    try {
      removeAccount(name, root);
    } catch {
      // There may be no account yet: the first error says more.
    }
    throw error;
  }
}

function removeAccount(name: string, root: string): void {
  try {
    execFileSync('userdel', ['--force', name], { stdio: 'ignore' });
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

function madeAccount(name: string, root: string): Account {
  const [home, place] = [join(root, 'home'), join(root, 'place')];
  chmodSync(root, 0o755);
  for (const folder of [place, join(place, 'assay')]) mkdirSync(folder);
  writeFileSync(join(place, 'node'), '');
  execFileSync('useradd', ['--create-home', '--home-dir', home, '--shell', '/bin/sh', name]);
  const id = (flag: string) => execFileSync('id', [flag, name], { encoding: 'utf8' }).trim();
  const [uid, gid] = [id('-u'), id('-g')];
  const runtime = join(root, 'run');
  mkdirSync(runtime, { mode: 0o700 });
  execFileSync('chown', [`${uid}:${gid}`, runtime]);
  const env = {
    PATH: `${place}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    USER: name,
    XDG_RUNTIME_DIR: runtime,
    TMPDIR: runtime,
  };
  const run: Account['run'] = async (command, cwd = home) =>
    await ended(['sh', '-c', AS_ACCOUNT, place, process.execPath, REPOSITORY, uid, gid, ...command], {
      cwd,
      env,
    });
  return {
    name,
    home,
    run,
    assay: (project, ...args) =>
      run([join(place, 'node'), join(place, 'assay/dist/bin.js'), ...args], project),
    async [Symbol.asyncDispose]() {
      await run(['podman', 'system', 'reset', '--force']);
      await endProcessesOf(Number(uid));
      removeAccount(name, root);
    },
  };
}

function ownAccount(): Account {
  const home = mkdtempSync(join(tmpdir(), 'assay-account-'));
  const run: Account['run'] = (command, cwd = home) =>
    ended(command, { cwd, env: { ...process.env, TMPDIR: tmpdir() } });
  return {
    name: userInfo().username,
    home,
    run,
    assay: (project, ...args) => run([process.execPath, program, ...args], project),
    [Symbol.asyncDispose]() {
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
      return Promise.resolve();
    },
  };
}

/** In mounts of its own, the repository and Node are where the account can read them. */
const AS_ACCOUNT = `exec unshare --mount --propagation private sh -c '
  place=$0; mount --bind "$1" "$place/node" && mount --bind "$2" "$place/assay" || exit 99
  uid=$3; gid=$4; shift 4
  exec setpriv --reuid "$uid" --regid "$gid" --clear-groups -- "$@"' "$0" "$@"`;

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

function ended([name = '', ...args]: readonly string[], place: Place): Promise<AccountEnd> {
  return new Promise((resolve) => {
    execFile(name, args, { ...place, timeout: 240_000 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}
