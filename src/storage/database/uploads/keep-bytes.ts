import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AssayError } from '../../../core/errors.ts';
import { MOST_UPLOADED_BYTES } from '../../../core/run-upload.ts';
import type { Database, Queries } from '../database.ts';
import { keepFile } from '../runs/attachments.ts';
import { written } from '../written.ts';
import { lockBytes } from './awaited-bytes.ts';

/** Keeps bytes for all uploaded runs that name them. A file first, so that no transaction waits for a slow sender. */
export async function keepUploadedBytes(
  database: Database,
  sha256: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  if (!(await isAwaited(database, sha256))) {
    if (await isThere(database, sha256)) return;
    throw notAwaited(sha256);
  }
  const folder = await mkdtemp(join(tmpdir(), 'assay-upload-'));
  try {
    const file = join(folder, 'bytes');
    const received = await receive(file, content);
    if (received.sha256 !== sha256) throw otherBytes(sha256, received.sha256);
    await written(database, () =>
      database.transaction(async (queries) => {
        await lockBytes(queries);
        await keepFile(queries, { file, sha256, size: received.size });
        await giveToRuns(queries, sha256);
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function receive(file: string, content: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256');
  let size = 0;
  const target = await open(file, 'w', 0o600);
  try {
    for await (const bytes of content) {
      size += bytes.length;
      if (size > MOST_UPLOADED_BYTES) throw tooLarge();
      hash.update(bytes);
      await target.writeFile(bytes);
    }
  } finally {
    await target.close();
  }
  return { sha256: hash.digest('hex'), size };
}

async function giveToRuns({ query }: Queries, sha256: string): Promise<void> {
  await query(
    `insert into run_attachment (run_id, sha256)
     select distinct run_id, sha256 from awaited_bytes where sha256 = $1 and name is null on conflict do nothing`,
    [sha256],
  );
  await query(
    `insert into artifact (run_id, trial_number, attempt, name, sha256)
     select run_id, trial_number, attempt, name, sha256 from awaited_bytes where sha256 = $1 and name is not null
     on conflict (run_id, trial_number, attempt, name) do update set sha256 = excluded.sha256`,
    [sha256],
  );
  await query('delete from awaited_bytes where sha256 = $1', [sha256]);
}

async function isAwaited({ query }: Queries, sha256: string): Promise<boolean> {
  return (await query('select 1 from awaited_bytes where sha256 = $1 limit 1', [sha256])).length > 0;
}

async function isThere({ query }: Queries, sha256: string): Promise<boolean> {
  return (await query('select 1 from attachment where sha256 = $1', [sha256])).length > 0;
}

function notAwaited(sha256: string): AssayError {
  return new AssayError(
    'bytes-not-awaited',
    `no uploaded run refers to a file with the sha-256 "${sha256}"`,
    {
      stage: 'log',
      hint: 'upload the run first; the response lists the missing files',
    },
  );
}

function otherBytes(asked: string, found: string): AssayError {
  return new AssayError('bytes-differ', `the bytes have the sha-256 ${found}, expected ${asked}`, {
    stage: 'log',
    hint: 'send the file as it was when the run was uploaded, or upload the run again',
  });
}

function tooLarge(): AssayError {
  return new AssayError('bytes-too-large', 'the file is larger than 64 MB, the limit of the store', {
    stage: 'log',
    hint: 'keep this file outside the store',
  });
}
