import type { TakenUpload, UploadLine, UploadStore } from '../../../core/run-upload.ts';
import { cutOffUpload, invalidUpload } from '../../../core/run-upload.ts';
import { withSource } from '../../../lib/with-source.ts';
import { nothingHidden } from '../../runs/redaction.ts';
import { keptSpecText } from '../../runs/redact-spec.ts';
import { keepSettings } from '../runs/keep-settings.ts';
import { manifestColumns } from '../runs/kept-run.ts';
import { leaseLost, underLease } from '../runs/lease.ts';
import type { RunRoom } from '../runs/run-room.ts';
import { written } from '../written.ts';
import { missingBytes } from './awaited-bytes.ts';
import { beginUpload, type BegunUpload } from './begin-upload.ts';
import { keepUploadedBytes } from './keep-bytes.ts';
import { planUploaded } from './plan-uploaded.ts';
import { artifactTaker, eventTaker, frozenTaker } from './takers.ts';

type RunLine = Extract<UploadLine, { type: 'run' }>;
type Spec = Extract<UploadLine, { type: 'spec' }>['spec'];

/** Uploads of run directories into a database that has its schema. */
export function databaseUploads(room: RunRoom): UploadStore {
  return {
    // An error of who sends is not one of the database.
    take: (lines, accountId) =>
      withSource(lines, (sent) => written(room.database, () => takeUpload(room, sent, accountId))),
    keep: (sha256, content) => keepUploadedBytes(room.database, sha256, content()),
  };
}

/** What was stored before an upload is cut off stays: it is a prefix of the log, and the next upload continues it. */
async function takeUpload(
  room: RunRoom,
  lines: AsyncIterable<UploadLine>,
  accountId: string | undefined,
): Promise<TakenUpload> {
  const reading = lines[Symbol.asyncIterator]();
  try {
    const first = await nextLine(reading);
    if (first?.type !== 'run') throw invalidUpload('its first line is not the run');
    const begun = await beginUpload(room, first, accountId);
    try {
      const newEvents = await takeRest(begun, first, reading);
      const { id } = begun.place;
      return { run: id, isNew: begun.isNew, newEvents, missing: await missingBytes(room.database, id) };
    } catch (error) {
      await forgetEmpty(begun).catch(() => undefined);
      throw error;
    } finally {
      await begun.lease.release();
    }
  } finally {
    await reading.return?.();
  }
}

/** Gives how many events are new. */
async function takeRest(
  begun: BegunUpload,
  first: RunLine,
  reading: AsyncIterator<UploadLine>,
): Promise<number> {
  const events = eventTaker(begun);
  const frozen = frozenTaker(begun);
  const artifacts = artifactTaker(begun);
  const takers = [events, frozen, artifacts];
  let spec: Spec | undefined;
  for (let line = await nextLine(reading); line !== undefined; line = await nextLine(reading)) {
    switch (line.type) {
      case 'run':
        throw invalidUpload('it has two runs');
      case 'spec':
        ({ spec } = line);
        break;
      case 'event':
        await events.take(line.event);
        break;
      case 'frozen':
        await events.finish();
        await frozen.take(line.frozen);
        break;
      case 'artifact':
        await events.finish();
        await artifacts.take(line);
        break;
      case 'end':
        for (const taker of takers) await taker.finish();
        await planTrialsOf(begun, spec);
        if (begun.lastSequence + events.newEvents() === 0)
          throw invalidUpload('it has no events: events.jsonl is missing or empty');
        await endUpload(begun, first, spec === undefined ? null : specText(spec));
        return events.newEvents();
      default:
        line satisfies never;
    }
  }
  throw cutOffUpload();
}

/** Undefined: the upload has ended. */
async function nextLine(reading: AsyncIterator<UploadLine>): Promise<UploadLine | undefined> {
  const next = await reading.next();
  return next.done === true ? undefined : next.value;
}

/** Of a first upload that failed before anything of the log was stored, nothing stays. */
async function forgetEmpty({ place: { database, id }, lease, isNew }: BegunUpload): Promise<void> {
  if (!isNew) return;
  await database.query('delete from run where id = $1 and lease_id = $2 and last_sequence = 0', [
    id,
    lease.id,
  ]);
}

async function planTrialsOf(
  { place: { database, id }, lease }: BegunUpload,
  spec: Spec | undefined,
): Promise<void> {
  if (spec === undefined) return;
  await database.transaction(async (queries) => {
    await underLease(queries, id, lease.id);
    await planUploaded(queries, id, spec);
  });
}

function specText(spec: Spec): string {
  return keptSpecText({ ...spec, digests: [] }, nothingHidden);
}

/** Only now the run is what its directory says. Tags are added to those that it has. */
async function endUpload(
  { place: { database, id }, lease }: BegunUpload,
  { manifest, line, tags = [] }: RunLine,
  spec: string | null,
): Promise<void> {
  const columns = manifestColumns(manifest, nothingHidden);
  const [ended] = await database.query(
    `update run set state = $3, manifest = $4::text::json, started_at = $5::text::timestamptz,
       ended_at = $6::text::timestamptz, plan = coalesce($7::text::json, plan), line = coalesce($8, line),
       suites = $10::text[], targets = $11::text[],
       tags = tags || array(select tag from unnest($9::text[]) with ordinality as given (tag, place)
         where tag <> all(tags) order by place)
     where id = $1 and lease_id = $2 returning id`,
    [
      id,
      lease.id,
      columns.state,
      columns.manifest,
      columns.startedAt,
      columns.endedAt,
      spec,
      line ?? null,
      [...new Set(tags)],
      columns.suites,
      columns.targets,
    ],
  );
  if (ended === undefined) throw leaseLost(id);
  await keepSettings(database, id, columns.head);
}
