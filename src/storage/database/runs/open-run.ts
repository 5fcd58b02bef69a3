import type { Manifest } from '../../../core/manifest.ts';
import type { OpenRun, ToldAtEnd } from '../../../core/run-store.ts';
import type { Redactor } from '../../../lib/redact/redact.ts';
import { keptWorkspaces } from '../../run-directory/kept-workspaces.ts';
import { redactManifest } from '../../runs/redact-manifest.ts';
import { keptSpecText } from '../../runs/redact-spec.ts';
import { written } from '../written.ts';
import { attemptArtifacts } from './artifacts.ts';
import { keepFrozen } from './frozen.ts';
import { manifestColumns, saveManifest } from './kept-run.ts';
import { leaseLost, type Lease } from './lease.ts';
import { openLog } from './log.ts';
import type { VoidEnds } from './read-rows.ts';
import type { RunPlace } from './run-room.ts';
import { storedRun } from './stored-run.ts';

interface Opening {
  readonly manifest: Manifest;
  readonly redactor: Redactor;
  readonly lease: Lease;
  readonly voidEnds: VoidEnds;
}

/** A run that this process has claimed, with this manifest from now on. */
export async function openRun(place: RunPlace, opening: Opening): Promise<OpenRun> {
  const run = writtenRun(place, opening);
  await run.save(opening.manifest);
  return run;
}

/** The same of one that has its manifest already. */
export function writtenRun(place: RunPlace, opening: Opening): OpenRun {
  const { manifest: opened, redactor, lease, voidEnds } = opening;
  const { database, id, paths } = place;
  const save = (manifest: Manifest, costs: ToldAtEnd['costUsd'] | null) =>
    written(database, async () => {
      const columns = manifestColumns(manifest, redactor);
      if (!(await saveManifest(database, columns, { id, lease: lease.id, costs }))) throw leaseLost(id);
    });
  return {
    run: storedRun(place, voidEnds),
    manifest: opened,
    redactor,
    openLog: (lastSequence) => openLog(place, redactor, { lease: lease.id, lastSequence }),
    save: (manifest) => save(manifest, null),
    // What else is told at the end is read from the log as fast.
    finish: (manifest, { costUsd }) => save(manifest, costUsd),
    cleaned: (manifest) => redactManifest(manifest, redactor),
    keepSpec: (spec) =>
      written(database, async () => {
        const [kept] = await database.query(
          'update run set plan = $3::text::json where id = $1 and lease_id = $2 returning id',
          [id, lease.id, keptSpecText(spec, redactor)],
        );
        if (kept === undefined) throw leaseLost(id);
      }),
    keepFrozen: (copies) => written(database, () => keepFrozen(place, copies, redactor)),
    writing: (work) => written(database, work),
    artifacts: (trial, attempt, onFailure) =>
      attemptArtifacts(place, { ...trial, attempt }, { redactor, onFailure }),
    workspaces: keptWorkspaces(paths),
    release: lease.release,
  };
}
