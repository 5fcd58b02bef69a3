import { readable } from '../../../core/readable.ts';
import type { OpenArtifact } from '../../../core/run-store.ts';
import type { Queries } from '../database.ts';
import { unchanged } from './changing-file.ts';

/** Bytes of a row: small enough that a few of them fit into memory at once. */
const CHUNK_BYTES = 1 << 20;

/** Keeps a text of a run under its sha-256. */
export async function keepText(
  queries: Queries,
  run: string,
  { sha256, text }: { readonly sha256: string; readonly text: string },
): Promise<void> {
  const bytes = Buffer.from(text);
  const isNew = await begin(queries, sha256, bytes.length);
  for (let at = 0; isNew && at < bytes.length; at += CHUNK_BYTES)
    await keepChunk(queries, sha256, {
      position: at / CHUNK_BYTES + 1,
      bytes: bytes.subarray(at, at + CHUNK_BYTES),
    });
  await queries.query('insert into run_attachment (run_id, sha256) values ($1, $2) on conflict do nothing', [
    run,
    sha256,
  ]);
}

/** The same of a file, under the sha-256 that it has. Throws `FileChangedError`. */
export async function keepFile(
  queries: Queries,
  { file, sha256, size }: { readonly file: string; readonly sha256: string; readonly size: number },
): Promise<void> {
  if (!(await begin(queries, sha256, size))) return;
  let position = 0;
  for await (const bytes of unchanged(file, { sha256, size, chunkBytes: CHUNK_BYTES }))
    await keepChunk(queries, sha256, { position: (position += 1), bytes });
}

/** Its bytes, a chunk at a time. */
export async function* chunksOf({ query }: Queries, sha256: string): AsyncGenerator<Uint8Array> {
  for (let position = 1; ; position += 1) {
    const [chunk] = await query<{ bytes: Uint8Array }>(
      'select bytes from attachment_chunk where sha256 = $1 and position = $2',
      [sha256, position],
    );
    if (chunk === undefined) return;
    yield chunk.bytes;
  }
}

/** A text of one run, or of any; undefined if it has no such text. */
export async function openAttachment(
  queries: Queries,
  { run, sha256 }: { readonly run?: string; readonly sha256: string },
): Promise<OpenArtifact | undefined> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
  const [found] = await queries.query<{ bytes: number }>(
    `select size as bytes from run_attachment join attachment using (sha256)
     where sha256 = $1 and ($2::text is null or run_id = $2) limit 1`,
    [sha256, run ?? null],
  );
  return found && { bytes: found.bytes, content: () => chunksOf(queries, sha256) };
}

/** A text that was kept. Throws `run-unreadable` where it is missing. */
export async function keptText(queries: Queries, sha256: string): Promise<string> {
  const [there] = await queries.query('select 1 from attachment where sha256 = $1', [sha256]);
  readable(`attachment ${sha256}`, () => {
    if (there === undefined) throw new Error('the database does not have it');
  });
  const chunks: Uint8Array[] = [];
  for await (const bytes of chunksOf(queries, sha256)) chunks.push(bytes);
  return Buffer.concat(chunks).toString();
}

/** Whether it was not there yet. */
async function begin({ query }: Queries, sha256: string, size: number): Promise<boolean> {
  const [made] = await query(
    'insert into attachment (sha256, size) values ($1, $2) on conflict do nothing returning sha256',
    [sha256, size],
  );
  return made !== undefined;
}

async function keepChunk(
  { query }: Queries,
  sha256: string,
  { position, bytes }: { readonly position: number; readonly bytes: Uint8Array },
): Promise<void> {
  await query('insert into attachment_chunk (sha256, position, bytes) values ($1, $2, $3)', [
    sha256,
    position,
    bytes,
  ]);
}
