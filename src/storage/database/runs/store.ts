import { randomBytes } from 'node:crypto';
import { isAbsolute, relative, resolve, sep } from 'node:path';

import type { BegunRun, OpenRun, RunStore } from '../../../core/run-store.ts';
import { claimAttempt } from '../../run-directory/claim-attempt.ts';
import { nameIn } from '../../run-directory/paths.ts';
import { meantRun, splitTarget } from '../../runs/meant-run.ts';
import { keptSpecText } from '../../runs/redact-spec.ts';
import { runId } from '../../runs/run-id.ts';
import { plainText } from '../plain-text.ts';
import { written } from '../written.ts';
import { claimRun } from './claim.ts';
import { manifestColumns } from './kept-run.ts';
import { heldLease, newLease } from './lease.ts';
import { writtenRun } from './open-run.ts';
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
    claim: ({ name }) => claimRun(placeIn(room, name)),
    // Only the machine that ran it has what it needs to go on.
    claimAttempt: async ({ run, name }) => claimAttempt(run.placeOf(name)),
  };
}

async function createRun(room: RunRoom, { startedAt, redactor, spec, manifest }: BegunRun): Promise<OpenRun> {
  const { database } = room;
  const id = runId(startedAt, randomBytes(4));
  const place = placeIn(room, id);
  const opened = manifest(id, place.paths.directory);
  const columns = manifestColumns(opened, redactor);
  const lease = newLease();
  await written(database, () =>
    database.query(
      `insert into run (id, kind, source_run_id, origin, state, manifest, digests, plan, started_at, lease_id,
         lease_owner, lease_until)
       values ($1, $2, $3, 'cli', $4, $5::text::json, $6::text[], $7::text::json, $8::text::timestamptz, $9, $10,
         clock_timestamp() + make_interval(secs => $11))`,
      [
        id,
        columns.kind,
        columns.source,
        columns.state,
        columns.manifest,
        columns.digests,
        spec === undefined ? null : keptSpecText(spec, redactor),
        columns.startedAt,
        lease.id,
        lease.owner,
        lease.seconds,
      ],
    ),
  );
  const held = heldLease(database, id, lease.id);
  return writtenRun(place, { manifest: opened, redactor, lease: held, voidEnds: new Map() });
}

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
