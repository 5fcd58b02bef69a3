// The embedded database is synchronous and would block the main thread, so it runs in its own thread.
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';

import type { PGlite } from '@electric-sql/pglite';

import { unpackTar } from '../../lib/files/unpack-tar.ts';
import { ownPlace } from '../../lib/modules/own-file.ts';
import type { EmbeddedAnswer, EmbeddedPlace, EmbeddedRequest } from './embedded-database.ts';
import { SESSION_SETTINGS, VALUE_PARSERS } from './value-parsers.ts';

/**
 * How much a function of the engine runs before it is optimized, in bytes of its code. By default it takes so little
 * that most of the processor time of a command goes into optimizing what it does not use again.
 */
setFlagsFromString('--wasm-tiering-budget=60000000');

const opened = openedDatabase(workerData as EmbeddedPlace);
opened.catch(() => undefined);

parentPort?.on('message', (request: EmbeddedRequest) => {
  void answerTo(request).then((answer) => parentPort?.postMessage(answer));
});

async function openedDatabase({ folder }: EmbeddedPlace): Promise<PGlite> {
  const made = existsSync(folder) ? undefined : await make(folder);
  const { PGlite: Postgres } = await import('@electric-sql/pglite');
  const database = await Postgres.create({ dataDir: folder, parsers: VALUE_PARSERS });
  await database.exec(SESSION_SETTINGS);
  if (made === 'unpacked') await database.exec(APPLIED_NOW);
  return database;
}

/** The template has its schema since the build. */
const APPLIED_NOW = 'update schema_migration set applied_at = clock_timestamp()';

/** Without a build there is no template. A process that is killed meanwhile leaves no incomplete database behind. */
async function make(folder: string): Promise<'empty' | 'unpacked'> {
  const draft = `${folder}.making`;
  rmSync(draft, { recursive: true, force: true });
  const template = ownPlace('storage/database/template.tgz');
  if (template === undefined) await makeSlowly(draft);
  else unpackTar(gunzipSync(readFileSync(template)), draft);
  renameSync(draft, folder);
  return template === undefined ? 'empty' : 'unpacked';
}

async function makeSlowly(draft: string): Promise<void> {
  const { PGlite: Postgres } = await import('@electric-sql/pglite');
  const database = await Postgres.create({ dataDir: draft });
  await database.close();
}

async function answerTo({ id, ...request }: EmbeddedRequest): Promise<EmbeddedAnswer> {
  try {
    return { id, rows: await done(request, await opened) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    // Errors of the engine itself contain its source: tens of kilobytes on one line.
    const told = String(message ?? error).slice(0, MOST_CHARACTERS);
    return { id, error: { message: told, ...(code === undefined ? {} : { code }) } };
  }
}

const MOST_CHARACTERS = 2000;

async function done(
  request: Omit<EmbeddedRequest, 'id'>,
  database: PGlite,
): Promise<readonly Record<string, unknown>[]> {
  switch (request.job) {
    case 'query':
      return (await database.query<Record<string, unknown>>(request.sql, [...request.parameters])).rows;
    case 'script':
      await database.exec(request.sql);
      return [];
    case 'close':
      await database.close();
      return [];
    default:
      return request.job satisfies never;
  }
}
