import { AssayError } from '../../../core/errors.ts';
import { begun, type Manifest } from '../../../core/manifest.ts';
import type { UploadLine } from '../../../core/run-upload.ts';
import { nothingHidden } from '../../runs/redaction.ts';
import { plainText } from '../plain-text.ts';
import { manifestColumns } from '../runs/kept-run.ts';
import { heldLease, newLease, takeLease, type Lease } from '../runs/lease.ts';
import { placeIn, type RunPlace, type RunRoom } from '../runs/run-room.ts';

/** A run that is being uploaded. */
export interface BegunUpload {
  readonly place: RunPlace;
  readonly lease: Lease;
  readonly isNew: boolean;
  /** What the store has of the log. */
  readonly lastSequence: number;
  /** The list of the directory; it continues the one of the store. */
  readonly digests: readonly string[];
}

/** Claims the run of an upload, and makes it where the store does not have it. Throws `run-differs` and `run-in-use`. */
export async function beginUpload(
  room: RunRoom,
  { manifest }: Extract<UploadLine, { type: 'run' }>,
  accountId: string | undefined,
): Promise<BegunUpload> {
  const place = placeIn(room, manifest.id);
  const digests = manifest.digests.map(plainText);
  const made = await makeRun(place, manifest, accountId);
  if (made !== undefined) return { place, lease: made, isNew: true, lastSequence: 0, digests };
  const lease = await takeUploaded(place);
  try {
    return { place, lease, isNew: false, lastSequence: await refuseOther(place, manifest), digests };
  } catch (error) {
    await lease.release();
    throw error;
  }
}

/** The error of an upload whose run or log is not that of the store. */
export function runDiffers(id: string, how: string): AssayError {
  return new AssayError('run-differs', `the store already has a different run with the id ${id}: ${how}`, {
    stage: 'log',
    hint: 'an uploaded run cannot be changed; restore the run directory as it was at the first upload',
  });
}

function runRemoved(id: string): AssayError {
  return new AssayError('run-differs', `the run ${id} was removed from the store during the upload`, {
    stage: 'log',
    hint: 'upload it again',
  });
}

/** Undefined: it is there. Until the upload ends it is a run without an end. */
async function makeRun(
  { database, id }: RunPlace,
  manifest: Manifest,
  accountId: string | undefined,
): Promise<Lease | undefined> {
  const columns = manifestColumns({ ...begun(manifest), state: 'running' }, nothingHidden);
  const lease = newLease();
  const [made] = await database.query(
    `insert into run (id, kind, source_run_id, origin, state, manifest, digests, started_at, created_by, lease_id,
       lease_owner, lease_until, suites, targets)
     values ($1, $2, $3, 'upload', $4, $5::text::json, $6::text::text[], $7::text::timestamptz, $8::uuid, $9, $10,
       clock_timestamp() + make_interval(secs => $11), $12::text[], $13::text[])
     on conflict do nothing returning id`,
    [
      id,
      columns.kind,
      columns.source,
      columns.state,
      columns.manifest,
      columns.digests,
      columns.startedAt,
      accountId ?? null,
      lease.id,
      lease.owner,
      lease.seconds,
      columns.suites,
      columns.targets,
    ],
  );
  return made === undefined ? undefined : heldLease(database, id, lease.id);
}

async function takeUploaded({ database, id }: RunPlace): Promise<Lease> {
  const [run] = await database.query<{ origin: string }>('select origin from run where id = $1', [id]);
  if (run !== undefined && run.origin !== 'upload') throw runDiffers(id, 'it was not uploaded');
  return await takeLease(database, id);
}

/** Gives the last sequence that the store has. */
async function refuseOther({ database, id }: RunPlace, manifest: Manifest): Promise<number> {
  const [run] = await database.query<{ manifest: string; digests: readonly string[]; last_sequence: number }>(
    'select manifest, digests, last_sequence from run where id = $1',
    [id],
  );
  if (run === undefined) throw runRemoved(id);
  const known = JSON.parse(run.manifest) as Manifest;
  const changed = (['kind', 'startedAt', 'sourceRunId'] as const).find((key) => known[key] !== manifest[key]);
  if (changed !== undefined)
    throw runDiffers(id, `\`${changed}\` in run.json is ${String(manifest[changed])}`);
  const at = run.digests.findIndex((digest, index) => digest !== plainText(manifest.digests[index] ?? ''));
  if (at >= 0) throw runDiffers(id, `digest ${at} in run.json is ${manifest.digests[at] ?? 'missing'}`);
  return run.last_sequence;
}
