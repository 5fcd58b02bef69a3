import type { Manifest } from '../../../core/manifest.ts';
import type { RunSpec } from '../../../core/run-spec.ts';
import type { OpenRun, ToldAtEnd } from '../../../core/run-store.ts';
import type { Redactor } from '../../../lib/redact/redact.ts';
import type { SharedRun } from '../../../core/handed-trials.ts';
import { keptWorkspaces } from '../../run-directory/kept-workspaces.ts';
import { redactManifest } from '../../runs/redact-manifest.ts';
import { keptSpecText } from '../../runs/redact-spec.ts';
import { written } from '../written.ts';
import { openHandedTrials } from '../queue/handed-trials.ts';
import { attemptArtifacts } from './artifacts.ts';
import { whilePlanFills, type PlanFill } from './fill-plan.ts';
import { keepFrozen } from './frozen.ts';
import { keepSettings } from './keep-settings.ts';
import { manifestColumns, saveManifest } from './kept-run.ts';
import { leaseLost, underLease, type Lease } from './lease.ts';
import { conductorsLog } from './conductors-log.ts';
import { openLog } from './log.ts';
import { forgetPlanned, isSamePlan, planTrials } from './plan-trials.ts';
import type { VoidEnds } from './read-rows.ts';
import type { RunPlace } from './run-room.ts';
import { storedRun } from './stored-run.ts';

interface Opening {
  readonly manifest: Manifest;
  readonly redactor: Redactor;
  readonly lease: Lease;
  readonly voidEnds: VoidEnds;
  /** What gives its plan its rows. Absent for a claimed run: its trials got their rows before. */
  readonly fill?: PlanFill;
}

/** A run that this process has claimed, with this manifest from now on. */
export async function openRun(place: RunPlace, opening: Opening): Promise<OpenRun> {
  const run = writtenRun(place, opening);
  await run.save(opening.manifest);
  return run;
}

/** The same of one that has its manifest already. */
export function writtenRun(place: RunPlace, opening: Opening): OpenRun {
  const { manifest: opened, redactor, lease, voidEnds, fill } = opening;
  const { database, id, paths } = place;
  const save = (manifest: Manifest, costs: ToldAtEnd['costUsd'] | null) =>
    written(database, async () => {
      const columns = manifestColumns(manifest, redactor);
      await database.transaction(async (queries) => {
        if (!(await saveManifest(queries, columns, { id, lease: lease.id, costs }))) throw leaseLost(id);
        await keepSettings(queries, id, columns.head);
      });
    });
  return {
    stored: storedRun(place, voidEnds),
    manifest: opened,
    redactor,
    cancelAsked: lease.cancelAsked,
    openLog: (lastSequence) =>
      whilePlanFills(openLog(place, redactor, { lease: lease.id, lastSequence, guards: 'budget' }), fill),
    ...(database.login === undefined ? {} : withWorkers(place, opening, database.login)),
    save: (manifest) => save(manifest, null),
    // What else is told at the end is read from the log as fast.
    finish: async (manifest, { costUsd }) => {
      await fill?.trials;
      lease.stopRenewing();
      await save(manifest, costUsd);
    },
    cleaned: (manifest) => redactManifest(manifest, redactor),
    keepSpec: (spec) =>
      written(database, () =>
        database.transaction(async (queries) => {
          const { query } = queries;
          await underLease(queries, id, lease.id);
          const [before] = await query<{ plan: string | null }>('select plan from run where id = $1', [id]);
          const text = keptSpecText(spec, redactor);
          await query('update run set plan = $2::text::json where id = $1', [id, text]);
          const planned = before?.plan ?? undefined;
          if (planned === undefined) await planTrials(queries, id, spec);
          // A new plan numbers its trials behind those of the first one, as they begin.
          else if (!isSamePlan(JSON.parse(planned) as RunSpec, spec)) await forgetPlanned(queries, id);
        }),
      ),
    keepFrozen: (copies) =>
      written(database, () => keepFrozen(place, copies, { redaction: redactor, lease: lease.id })),
    writing: (work) => written(database, work),
    artifacts: (trial, attempt, onFailure) =>
      attemptArtifacts(place, { ...trial, attempt }, { redactor, onFailure, lease: lease.id }),
    workspaces: keptWorkspaces(paths),
    async discard() {
      const none = 'delete from run where id = $1 and lease_id = $2::uuid and last_sequence = 0';
      await database.query(none, [place.id, lease.id]);
    },
    release: lease.release,
  };
}

/** What only a database has that other processes can reach. */
function withWorkers(place: RunPlace, { redactor, lease, fill }: Opening, login: string): SharedRun {
  return {
    openSharedLog: (lastSequence) =>
      whilePlanFills(conductorsLog(place, { redactor, lease: lease.id, lastSequence }), fill),
    handOut: () => openHandedTrials({ ...place, lease: lease.id }, login),
  };
}
