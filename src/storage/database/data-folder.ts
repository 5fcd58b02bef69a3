import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { AssayError } from '../../core/errors.ts';
import { makeDirectory } from '../../lib/files/make-directory.ts';
import { namesIn } from '../../lib/files/names-in.ts';
import { acquireLock, type Owner } from '../owner-lock.ts';

/** Major version of the embedded database. Data of another major version cannot be opened. */
const MAJOR = '18';

/** The locked data folder of the embedded database. Only one process can open it. */
export interface DataFolder {
  readonly folder: string;
  release(): void;
}

/** Whether `data` contains a database of any version. */
export function hasDatabase(data: string): boolean {
  return namesIn(data).some((name) => FOLDER.test(name));
}

const FOLDER = /^pg\d+$/;

/** Locks the folder below `data`. Throws `data-directory-in-use` or `data-directory-other-version`. */
export function claimDataFolder(data: string): DataFolder {
  makeOwnFolder(data);
  const lock = acquireLock(join(data, 'owner.lock'), (owner, file) => inUse(data, owner, file));
  const folder = join(data, `pg${MAJOR}`);
  try {
    refuseOther(data, folder);
    return { folder, release: lock.release };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Git ignores the folder, because a database is not source. */
function makeOwnFolder(data: string): void {
  makeDirectory(data);
  if (!statSync(data).isDirectory()) {
    throw new AssayError('database-unreachable', `${data} is a file, expected a folder`, {
      stage: 'plan',
      hint: 'move the file away, or set DATABASE_URL',
    });
  }
  const ignore = join(data, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
}

function refuseOther(data: string, folder: string): void {
  const version = versionIn(folder);
  if (version !== undefined && version !== MAJOR) throw otherVersion(folder, version);
  if (existsSync(folder)) return;
  const other = namesIn(data).find((name) => FOLDER.test(name));
  if (other !== undefined) throw otherVersion(join(data, other), other.slice(2));
}

function versionIn(folder: string): string | undefined {
  const file = join(folder, 'PG_VERSION');
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function inUse(data: string, owner: Owner | undefined, file: string): AssayError {
  const who = owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}`;
  return new AssayError('data-directory-in-use', `the database in ${data} is open in ${who}`, {
    stage: 'plan',
    hint: `end that process first; if it no longer exists, remove ${file}`,
  });
}

function otherVersion(folder: string, version: string): AssayError {
  return new AssayError(
    'data-directory-other-version',
    `${folder} holds data of PostgreSQL ${version}; this version of assay opens ${MAJOR}`,
    {
      stage: 'plan',
      hint: 'export it with the version of assay that wrote it, move the folder away, and import it again',
    },
  );
}
