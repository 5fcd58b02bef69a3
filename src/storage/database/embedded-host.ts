// A thread that owns the embedded database: it is synchronous, and would stop everything else on a thread of ours.
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

import type { PGlite } from '@electric-sql/pglite';

import { ownPlace } from '../../lib/modules/own-file.ts';
import type { EmbeddedAnswer, EmbeddedPlace, EmbeddedRequest } from './embedded-database.ts';
import { SESSION_SETTINGS, VALUE_PARSERS } from './value-parsers.ts';

const opened = openedDatabase(workerData as EmbeddedPlace);
opened.catch(() => undefined);

parentPort?.on('message', (request: EmbeddedRequest) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  void answerTo(request).then((answer) => parentPort?.postMessage(answer));
});

async function openedDatabase({ folder }: EmbeddedPlace): Promise<PGlite> {
  if (!existsSync(folder)) await make(folder);
  const { PGlite: Postgres } = await import('@electric-sql/pglite');
  const database = await Postgres.create({ dataDir: folder, parsers: VALUE_PARSERS });
  await database.exec(SESSION_SETTINGS);
  return database;
}

/** Sources have no template. A process that is killed meanwhile leaves no half of a database where it is looked for. */
async function make(folder: string): Promise<void> {
  const draft = `${folder}.making`;
  rmSync(draft, { recursive: true, force: true });
  const { PGlite: Postgres } = await import('@electric-sql/pglite');
  const template = ownPlace('storage/database/template.tgz');
  const loadDataDir = template === undefined ? undefined : new Blob([readFileSync(template)]);
  const database = await Postgres.create({ dataDir: draft, ...(loadDataDir && { loadDataDir }) });
  await database.close();
  renameSync(draft, folder);
}

async function answerTo({ id, ...request }: EmbeddedRequest): Promise<EmbeddedAnswer> {
  try {
    return { id, rows: await done(request, await opened) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    // What the engine throws beside SQL errors holds its source, tens of kilobytes on one line.
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
