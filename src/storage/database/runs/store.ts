import { randomBytes } from 'node:crypto';
import { isAbsolute, relative, resolve, sep } from 'node:path';

import type { BegunRun, OpenRun, RunStore } from '../../../core/run-store.ts';
import { claimAttempt } from '../../run-directory/claim-attempt.ts';
import { nameIn } from '../../run-directory/paths.ts';
import { meantRun, splitTarget } from '../../runs/meant-run.ts';
import { keptSpecText } from '../../runs/redact-spec.ts';
import { runId } from '../../runs/run-id.ts';
import { noteDone } from '../people/idempotency-keys.ts';
import { plainText } from '../plain-text.ts';
import { tidyAfter } from '../tidy.ts';
import { againAfterConflict, written } from '../written.ts';
import { claimRun } from './claim.ts';
import { fillPlan } from './fill-plan.ts';
import { beginFrozen } from './frozen.ts';
import { refuseUploaded } from './refuse-uploaded.ts';
import { keepSettings } from './keep-settings.ts';
import { manifestColumns } from './kept-run.ts';
import { heldLease, newLease } from './lease.ts';
import { writtenRun } from './open-run.ts';
import { beginTrials } from './plan-trials.ts';
import { placeIn, type RunRoom } from './run-room.ts';
import { storedRun } from './stored-run.ts';

/** The runs in a database that has its schema. */
export function databaseRuns(room: RunRoom): RunStore {
  const idOf = (place: string): string | undefined => {
    const [id = ''] = isAbsolute(nameIn(room.folder, place)) ? [] : relative(room.folder, place).split(sep);
    return id === '' ? undefined : id;
  };
  return {
    async find(reference) {
      const { run, ...named } = splitTarget(reference);
      const id = (isAbsolute(run) ? idOf(run) : undefined) ?? run;
      return { run: storedRun(placeIn(room, await meantId(room, id))), ...named };
    },
    async list() {
      const rows = await room.database.query<{ id: string }>('select id from run order by id');
      return rows.map(({ id }) => id);
    },
    open: (id) => storedRun(placeIn(room, id)),
    create: (begin) => createRun(room, begin),
    async around(place) {
      const id = idOf(resolve(place));
      const [there] = id === undefined ? [] : await idsFrom(room, id);
      if (id === undefined || there !== id) return undefined;
      const run = storedRun(placeIn(room, id));
      return { run, name: nameIn(run.place, resolve(place)) };
    },
    async claim({ name }) {
      await refuseUploaded(room.database, name);
      return await claimRun(placeIn(room, name));
    },
    // Only the machine that ran it has what it needs to go on.
    claimAttempt: async ({ run, name }) => claimAttempt(run.placeOf(name)),
  };
}

async function createRun(room: RunRoom, begin: BegunRun): Promise<OpenRun> {
  const { startedAt, redactor, spec, manifest } = begin;
  const { database } = room;
  const id = runId(startedAt, randomBytes(4));
  const place = placeIn(room, id);
  const opened = manifest(id, place.paths.directory);
  const columns = manifestColumns(opened, redactor);
  const lease = newLease();
  const { frozen, listed = { origin: 'cli' } } = begin;
  await written(database, () =>
    againAfterConflict(() =>
      database.transaction(async (queries) => {
        await queries.query(INSERT, [
          id,
          columns.kind,
          columns.source,
          listed.origin,
          listed.state ?? columns.state,
          columns.manifest,
          columns.digests,
          spec === undefined ? null : keptSpecText(spec, redactor),
          columns.startedAt,
          lease.id,
          lease.owner,
          lease.seconds,
          listed.settings === undefined ? null : JSON.stringify(redactor.json(listed.settings)),
          listed.name ?? null,
          listed.note ?? null,
          listed.line ?? null,
          (listed.tags ?? []).map(plainText),
          listed.createdBy ?? null,
          columns.suites,
          columns.targets,
          listed.caseSetId ?? null,
        ]);
        await keepSettings(queries, id, columns.head);
        if (listed.request !== undefined) await noteDone(queries, listed.request, { run: id });
        if (spec !== undefined) await beginTrials(queries, id, spec);
        if (frozen !== undefined) await beginFrozen(queries, id, { copies: frozen, redaction: redactor });
      }),
    ),
  ).catch(async (error: unknown) => {
    if (!(await isHeld(database, id, lease.id))) throw error;
  });
  const fill = fillPlan(database, id, spec);
  void fill.copies.then((isWhole) => {
    if (isWhole) tidyAfter(database, opened.trials, 'analyze trial, run_frozen');
  });
  const held = heldLease(database, id, lease.id);
  return writtenRun(place, { manifest: opened, redactor, lease: held, voidEnds: new Map(), fill });
}

/** A connection that broke after the commit left the run. */
async function isHeld({ query }: RunRoom['database'], id: string, lease: string): Promise<boolean> {
  const held = query('select 1 from run where id = $1 and lease_id = $2::uuid', [id, lease]);
  return (await held.catch(() => [])).length > 0;
}

const INSERT = `
  insert into run (id, kind, source_run_id, origin, state, manifest, digests, plan, started_at, lease_id, lease_owner,
    lease_until, settings, name, note, line, tags, created_by, suites, targets, case_set_id)
  values ($1, $2, $3, $4, $5, $6::text::json, $7::text::text[], $8::text::json, $9::text::timestamptz, $10, $11,
    clock_timestamp() + make_interval(secs => $12), $13::text::json, $14, $15, $16, $17::text[], $18::uuid, $19::text[],
    $20::text[], $21::uuid)`;

async function meantId(room: RunRoom, run: string): Promise<string> {
  return meantRun(run, { ids: await idsFrom(room, run), place: room.database.place });
}

/** The ids that begin so, oldest first. */
async function idsFrom({ database }: RunRoom, beginning: string): Promise<readonly string[]> {
  const rows =
    beginning === 'latest'
      ? await database.query<{ id: string }>('select id from run order by id desc limit 1')
      : await database.query<{ id: string }>('select id from run where starts_with(id, $1) order by id', [
          plainText(beginning),
        ]);
  return rows.map(({ id }) => id);
}
