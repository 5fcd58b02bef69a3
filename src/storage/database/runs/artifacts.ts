import { join } from 'node:path';

import type { KeptArtifact, NumberedTrial, OpenArtifact } from '../../../core/run-store.ts';
import type { AttemptArtifacts } from '../../../core/target.ts';
import { trialKey, type TrialId } from '../../../core/trial.ts';
import type { ArtifactOptions } from '../../attempts/artifact-folder.ts';
import { attemptDirectory } from '../../run-directory/artifacts.ts';
import { namesBelow } from '../../run-directory/kept-artifacts.ts';
import { plainText } from '../plain-text.ts';
import type { Queries } from '../database.ts';
import { againAfterConflict, written } from '../written.ts';
import { chunksOf, keepFile } from './attachments.ts';
import { FileChangedError, sha256Of, sizeOf } from './changing-file.ts';
import { underLease } from './lease.ts';
import type { RunPlace } from './run-room.ts';
import { identityColumns } from './trial-columns.ts';

/** A larger file stays where it was written. */
const MOST_BYTES = 64 << 20;

/** Of one trial; an agent may leave a whole `node_modules`. */
const MOST_FILES = 1000;

/** Artifacts of an attempt: files while they are written, and kept in the database when they are closed. */
export function attemptArtifacts(
  place: RunPlace,
  trial: NumberedTrial & { readonly attempt: number },
  options: ArtifactOptions & { readonly lease: string },
): AttemptArtifacts {
  const files = attemptDirectory(place.paths, trial, options);
  return {
    ...files,
    async close() {
      const end = await files.close();
      if (end.directory === undefined) return end;
      try {
        const notes = await keepArtifacts(place, trial, {
          folder: join(place.paths.directory, end.directory),
          lease: options.lease,
        });
        return { ...end, notes: [...end.notes, ...notes] };
      } catch (error) {
        options.onFailure(error);
        throw error;
      }
    },
  };
}

/** Keeps the files below a folder, under the lease of the run; gives notes on those that are not kept. */
export async function keepArtifacts(
  place: RunPlace,
  trial: NumberedTrial & { readonly attempt: number },
  { folder, lease }: { readonly folder: string; readonly lease: string },
): Promise<readonly string[]> {
  const notes: string[] = [];
  let count = 0;
  await written(place.database, async () => {
    const number = await trialNumber(place, trial, lease);
    for await (const name of namesBelow(folder)) {
      const artifact = { name, number, attempt: trial.attempt, lease };
      const mayBeKept = count < MOST_FILES;
      const whyNot = await reasonAgainst(join(folder, name), (file) =>
        mayBeKept && file.size <= MOST_BYTES ? keepArtifact(place, artifact, file) : `${file.size} bytes`,
      );
      if (whyNot === undefined) count += 1;
      else notes.push(`the artifact ${JSON.stringify(name)} was not kept in the database: ${whyNot}`);
    }
  });
  return notes;
}

interface NamedArtifact {
  readonly name: string;
  /** Of its trial. */
  readonly number: number;
  readonly attempt: number;
  readonly lease: string;
}

interface ReadFile {
  readonly file: string;
  readonly size: number;
}

/** Why a file is not kept. A process that the agent left behind may still change files, or remove them. */
async function reasonAgainst(
  file: string,
  keep: (found: ReadFile) => string | Promise<undefined>,
): Promise<string | undefined> {
  try {
    return await keep({ file, size: await sizeOf(file) });
  } catch (error) {
    if (error instanceof FileChangedError) return 'it changed, or cannot be read';
    throw error;
  }
}

async function keepArtifact(
  { database, id }: RunPlace,
  { name, number, attempt, lease }: NamedArtifact,
  { file, size }: ReadFile,
): Promise<undefined> {
  const sha256 = await sha256Of(file);
  const keep = async (queries: Queries): Promise<void> => {
    await keepFile(queries, { file, sha256, size });
    await underLease(queries, id, lease);
    await queries.query(
      `insert into artifact (run_id, trial_number, attempt, name, sha256) values ($1, $2, $3, $4, $5)
       on conflict (run_id, trial_number, attempt, name) do update set sha256 = excluded.sha256`,
      [id, number, attempt, plainText(name), sha256],
    );
  };
  await againAfterConflict(() => database.transaction(keep));
}

/** What the attempts of a trial left, by attempt and name. */
export async function keptArtifacts(
  { database, id }: RunPlace,
  trial: TrialId,
): Promise<readonly KeptArtifact[]> {
  return database.query<{ attempt: number; name: string; bytes: number }>(
    `select attempt, name, size as bytes from artifact
     join trial on trial.run_id = artifact.run_id and trial.number = trial_number join attachment using (sha256)
     where artifact.run_id = $1 and key = $2 order by attempt, name limit ${MOST_FILES}`,
    [id, plainText(trialKey(trial))],
  );
}

export async function openArtifact(
  { database, id }: RunPlace,
  trial: TrialId,
  { attempt, name }: Pick<KeptArtifact, 'attempt' | 'name'>,
): Promise<OpenArtifact | undefined> {
  if (name.includes('\0')) return undefined;
  const [found] = await database.query<{ sha256: string; bytes: number }>(
    `select sha256, size as bytes from artifact
     join trial on trial.run_id = artifact.run_id and trial.number = trial_number join attachment using (sha256)
     where artifact.run_id = $1 and key = $2 and attempt = $3 and name = $4`,
    [id, plainText(trialKey(trial)), attempt, plainText(name)],
  );
  return found && { bytes: found.bytes, content: () => chunksOf(database, found.sha256) };
}

/**
 * Forgets what attempts left that have no end. `ended`: how many attempts of each trial have one, by its key. Trials
 * that workers ended after the event `upTo` keep theirs.
 */
export async function dropStrayArtifacts(
  { database, id }: RunPlace,
  ended: ReadonlyMap<string, number>,
  { lease, upTo }: { readonly lease: string; readonly upTo: number },
): Promise<void> {
  await database.transaction(async (queries) => {
    await underLease(queries, id, lease);
    await queries.query(
      `delete from artifact using trial
     where artifact.run_id = $1 and trial.run_id = $1 and trial.number = trial_number
       and not exists (select from handed_trial where handed_trial.run_id = $1
         and handed_trial.trial_number = artifact.trial_number)
       and attempt > coalesce((select attempts from unnest($2::text[], $3::int[]) as ended (key, attempts)
         where ended.key = trial.key), case when ended_sequence > $4 then attempts else 0 end)`,
      [id, [...ended.keys()].map(plainText), [...ended.values()], Math.min(upTo, Number.MAX_SAFE_INTEGER)],
    );
  });
}

/** A trial may leave files before its log tells of it. */
async function trialNumber({ database, id }: RunPlace, trial: NumberedTrial, lease: string): Promise<number> {
  const key = plainText(trialKey(trial));
  const columns = identityColumns(trialKey(trial));
  return database.transaction(async (queries) => {
    const { query } = queries;
    // The log makes trials, too.
    await query('select 1 from run where id = $1 for no key update', [id]);
    await underLease(queries, id, lease);
    await query(
      `insert into trial (run_id, number, key, suite, case_key, test_case_id, target, repetition)
     select $1, case when exists (select from trial where run_id = $1 and number = $2)
         then (select max(number) + 1 from trial where run_id = $1) else $2 end, $3, $4, $5, $6::uuid, $7, $8
     from run where id = $1 and not exists (select from trial where run_id = $1 and key = $3)`,
      [
        id,
        trial.number,
        key,
        columns.suite,
        columns.case_key,
        columns.test_case_id,
        columns.target,
        columns.repetition,
      ],
    );
    const [row] = await query<{ number: number }>('select number from trial where run_id = $1 and key = $2', [
      id,
      key,
    ]);
    return row?.number ?? trial.number;
  });
}
