import { AssayError } from '../core/errors.ts';
import type { Fact, Row } from '../core/run.ts';
import type { Manifest } from '../core/manifest.ts';
import { runFold } from '../core/run-view.ts';
import { partialText } from '../sinks/partial-text.ts';
import { weightsOf } from '../sinks/case-rates.ts';
import { wholeRun, type StoredRun } from '../core/run-store.ts';
import { missingShards } from './merge/missing-shards.ts';
import { chosenFrom } from './compare/chosen-from.ts';
import { conductRun, tell, type RunWork } from './run/conduct-run.ts';
import { createRun } from './run/create-run.ts';
import { createDigestList, type DigestList } from './plan/digests.ts';
import { copyFrozen } from './run/frozen-copies.ts';
import { renumberedDigests } from './plan/renumbered-digests.ts';
import { outcomeOf } from './run/outcome.ts';
import { outputDirectory } from './project/output-directory.ts';
import { runsIn } from './runs.ts';
import type { Presentation, RunOutcome } from './presentation.ts';
import { isObject } from '../lib/json.ts';
import { trialKey } from '../core/trial.ts';
import { reportersOf } from './run/reporters.ts';
import { runStart } from './run/run-start.ts';

interface Shard {
  readonly stored: StoredRun;
  readonly manifest: Manifest;
}

export interface MergeRequest {
  readonly runs: readonly string[];
  /** Shards may be missing. */
  readonly isPartialAllowed: boolean;
}

/** Joins runs that share no trial, such as the shards of one run, into a new run. */
export async function mergeRuns(
  { runs, isPartialAllowed }: MergeRequest,
  presentation: Presentation,
): Promise<RunOutcome> {
  const { surroundings } = presentation;
  const directory = await outputDirectory(presentation.out, surroundings);
  const store = runsIn(directory, surroundings.cwd);
  const shards: Shard[] = [];
  for (const run of runs) {
    const stored = wholeRun(await store.find(run), 'merge');
    shards.push({ stored, manifest: await stored.manifest() });
  }
  const [first] = shards;
  if (first === undefined || shards.length < 2) throw notTwo();
  refuseDifferent(shards);
  const trials = await refuseOverlap(shards);
  const missing = missingShards(shards.map(({ manifest }) => manifest));
  const partial = missing.length === 0 ? undefined : { missingShards: missing, isAllowed: isPartialAllowed };
  const digests = createDigestList();
  for (const { manifest } of shards) for (const digest of manifest.digests) digests.numberOf(digest);
  const run = await createRun({
    prepared: {
      manifest: mergedManifest(shards, trials, digests),
      runs: store,
      digests,
      hermetic: shards.every(({ manifest }) => manifest.hermetic),
      environment: surroundings.environment,
      secretNames: [],
      secretLiterals: [],
      redactPatterns: [],
    },
    surroundings,
    kind: first.manifest.kind,
    mergedFrom: shards.map(({ manifest }) => manifest.id),
    partial,
  });
  try {
    const { settings } = first.manifest;
    for (const { stored } of shards) await copyFrozen(stored, run);
    const result = await conductRun(
      {
        run,
        presentation,
        reporters: await reportersOf([], presentation),
        projectRoot: first.manifest.projectRoot,
        maxErrored: Number(settings['maxErrored'] ?? 0),
        lastSequence: 0,
        fold: runFold(),
        repository: Promise.resolve(first.manifest.git),
      },
      copyEvents({ shards, digests, presentation, manifest: run.manifest, directory: run.run.place }),
    );
    const outcome = outcomeOf(result);
    if (partial === undefined) return outcome;
    presentation.screen.write(`\n${partialText(partial)}\n`);
    return { ...outcome, summary: { ...outcome.summary, partial } };
  } finally {
    run.release();
  }
}

interface CopyWork {
  readonly shards: readonly Shard[];
  readonly digests: DigestList;
  readonly presentation: Presentation;
  readonly manifest: Manifest;
  /** Of the merged run. */
  readonly directory: string;
}

function copyEvents({ shards, digests, presentation, manifest, directory }: CopyWork): RunWork {
  return async (stream) => {
    tell(stream, presentation.surroundings, runStart(manifest));
    for (const shard of shards) {
      const { isLast, isVoid } = await shard.stored.ends();
      for await (const { sequence, at, trial, attempt, fact } of shard.stored.events()) {
        if (trial === undefined && fact.type === 'note') stream.emit({ at, fact });
        if (trial === undefined || isVoid(trial, sequence)) continue;
        // Of a trial that was run again the attempts are copied, and only its last row.
        if (fact.type === 'trial-end' && !isLast(trial, sequence)) continue;
        const place = { at, trial, ...(attempt === undefined ? {} : { attempt }) };
        const copied = { ...place, fact: renumbered(fact, shard, { digests, directory }) };
        if (fact.type === 'trial-end') await stream.settle(copied);
        else stream.emit(copied);
      }
    }
    return shards.every((shard) => shard.manifest.state === 'completed') ? 'completed' : 'stopped';
  };
}

/** The fact with attachments put back and digests as the merged run numbers them. */
function renumbered(
  fact: Fact,
  { stored, manifest }: Shard,
  { digests, directory }: Pick<CopyWork, 'digests' | 'directory'>,
): Fact {
  const numberOf = (old: number) => digests.numberOf(manifest.digests[old] ?? '');
  if (fact.type === 'transcript-entry') return { ...fact, entry: stored.wholeEntry(fact.entry) };
  if (fact.type === 'grade') return { ...fact, grade: regraded(fact.grade, numberOf) };
  if (fact.type !== 'trial-end') return fact;
  const row: Row = {
    ...stored.movedRow(fact.row, directory),
    grades: fact.row.grades.map((grade) => regraded(grade, numberOf)),
    digests: renumberedDigests(fact.row.digests, numberOf),
  };
  return { type: 'trial-end', row };
}

function regraded(grade: Row['grades'][number], numberOf: (old: number) => number): Row['grades'][number] {
  return grade.digest === undefined ? grade : { ...grade, digest: numberOf(grade.digest) };
}

function mergedManifest(shards: readonly Shard[], trials: number, digests: DigestList) {
  const [first] = shards as readonly [Shard, ...Shard[]];
  const suites = new Map<string, Manifest['suites'][number]>();
  for (const { manifest } of shards) {
    for (const suite of manifest.suites) {
      const known = suites.get(suite.id);
      suites.set(suite.id, known === undefined ? suite : { ...known, cases: known.cases + suite.cases });
    }
  }
  const targets = new Map(
    shards.flatMap(({ manifest }) =>
      manifest.targets.map((target) => [
        target.name,
        { ...target, digest: digests.numberOf(manifest.digests[target.digest] ?? '') },
      ]),
    ),
  );
  const { config, settings, seed, projectRoot } = first.manifest;
  const [weights] = shards.flatMap(({ manifest }) => weightsOf(manifest) ?? []);
  const chosen = new Set(shards.flatMap(({ manifest }) => chosenFrom(manifest)));
  return {
    ...(config === undefined ? {} : { config }),
    ...(chosen.size === 0 ? {} : { chosenFrom: [...chosen] }),
    // Only runs of stored cases say what a difficulty weighs.
    settings: { ...settings, ...(weights === undefined ? {} : { difficultyWeights: { ...weights } }) },
    seed,
    projectRoot,
    suites: [...suites.values()],
    targets: [...targets.values()],
    trials,
  };
}

function refuseDifferent(shards: readonly Shard[]): void {
  const weights = new Set(shards.flatMap(({ manifest }) => JSON.stringify(weightsOf(manifest)) ?? []));
  if (weights.size > 1) throw different('the weight of a difficulty');
  const targets = new Map<string, string | undefined>();
  const suites = new Map<string, string>();
  const thresholds = new Map<string, string>();
  for (const { manifest } of shards) {
    for (const { id, whole } of manifest.suites) {
      const threshold = thresholdOf(manifest);
      if ((thresholds.get(id) ?? threshold) !== threshold) throw different('the pass threshold');
      thresholds.set(id, threshold);
      if (whole === undefined) continue;
      if ((suites.get(id) ?? whole) !== whole)
        throw different(`what is run of suite "${id}", or how it is graded,`);
      suites.set(id, whole);
    }
    for (const { name, digest } of manifest.targets) {
      const content = manifest.digests[digest];
      if (targets.has(name) && targets.get(name) !== content) {
        throw different(`target "${name}"`);
      }
      targets.set(name, content);
    }
  }
}

/** By default, and the one of a flag, which wins over that of a test. */
function thresholdOf({ settings }: Manifest): string {
  const { options, threshold = null } = settings;
  const flag = isObject(options) ? options['threshold'] : undefined;
  return JSON.stringify([threshold, flag ?? null]);
}

function different(what: string): AssayError {
  return new AssayError('merge-different', `${what} is not the same in all of these runs`, {
    stage: 'plan',
    hint: 'run the parts again with the same suites, config and flags, and merge those',
  });
}

/** Counts the planned trials; two runs that hold the same one are no parts of a whole. */
async function refuseOverlap(shards: readonly Shard[]): Promise<number> {
  const seen = new Set<string>();
  for (const { stored } of shards) {
    for await (const row of stored.rows()) {
      const key = trialKey(row);
      if (seen.has(key)) {
        throw new AssayError('merge-overlap', `more than one of these runs has the trial ${key}`, {
          stage: 'plan',
          hint: 'merge the parts of one sharded run: --shard 1/2, --shard 2/2',
        });
      }
      seen.add(key);
    }
  }
  return shards.reduce((sum, { manifest }) => sum + manifest.trials, 0);
}

function notTwo(): AssayError {
  return new AssayError('usage', 'merge joins at least two runs', {
    stage: 'plan',
    hint: 'name the parts: assay merge RUN RUN',
  });
}
