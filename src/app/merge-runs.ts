import { AssayError } from '../core/errors.ts';
import type { Fact, Row } from '../core/run.ts';
import type { Manifest } from '../core/manifest.ts';
import { given } from '../lib/given.ts';
import { createRedactor } from '../lib/redact/redact.ts';
import { weightsOf } from '../reading/case-rates.ts';
import { wholeRun, type RunStore, type StoredRun } from '../core/run-store.ts';
import { weakestOf } from '../core/isolation-level.ts';
import { missingShards } from './merge/missing-shards.ts';
import { chosenFrom } from './compare/chosen-from.ts';
import { presentRun } from './conduct/present-run.ts';
import type { RunWork } from './running/execute-run.ts';
import { isSealed } from './project/run-seal.ts';
import { logFact } from './running/log-fact.ts';
import { createRun } from './running/create-run.ts';
import { createDigestList, type DigestList } from './planning/digests.ts';
import { renumberedGrade, renumberedRow } from '../core/renumbered-digests.ts';
import { outputDirectory } from './project/output-directory.ts';
import { runsIn } from './runs.ts';
import type { RunOutcome, RunSite } from './conduct/run-site.ts';
import { trialKey } from '../core/trial.ts';
import { reportersOf } from './present/reporters.ts';
import { runStart } from './running/run-start.ts';

type Part = Omit<Shard, 'numbersBefore'>;

interface Shard {
  readonly stored: StoredRun;
  readonly manifest: Manifest;
  /** Number of trials in the runs before it. The merged plan is the concatenation of their plans. */
  readonly numbersBefore: number;
}

export interface MergeRequest {
  readonly runs: readonly string[];
  /** Whether missing shards are allowed. */
  readonly isPartialAllowed: boolean;
}

/** Merges runs without common trials, such as the shards of one run, into a new run. */
export async function mergeRuns(
  { runs, isPartialAllowed }: MergeRequest,
  site: RunSite,
): Promise<RunOutcome> {
  const { surroundings } = site;
  const directory = await outputDirectory(site.out, surroundings);
  const store = runsIn(directory, surroundings);
  const parts = await partsOf(runs, store);
  const [first] = parts;
  if (first === undefined || parts.length < 2) throw notTwo();
  refuseDifferent(parts);
  const shards = await placedShards(parts);
  const missing = missingShards(shards.map(({ manifest }) => manifest));
  const partial = missing.length === 0 ? undefined : { missingShards: missing, isAllowed: isPartialAllowed };
  const digests = createDigestList();
  for (const { manifest } of shards) for (const digest of manifest.digests) digests.numberOf(digest);
  const run = await createRun({
    runs: store,
    redactor: createRedactor({ environment: surroundings.environment }),
    surroundings,
    isOfStrangers: !shards.every(isOurs),
    manifest: {
      kind: first.manifest.kind,
      mergedFrom: shards.map(({ manifest }) => manifest.id),
      ...given({ partial }),
      ...mergedManifest(shards, digests),
      digests: digests.list,
      hermetic: shards.every(({ manifest }) => manifest.hermetic),
      isolation: weakestOf(shards.map(({ manifest }) => manifest.isolation)),
    },
  });
  try {
    const { settings } = first.manifest;
    for (const { stored } of shards) await run.keepFrozen(stored.frozen());
    return await presentRun(
      {
        run,
        site,
        reporters: await reportersOf([], site),
        projectRoot: first.manifest.projectRoot,
        maxErrored: settings.maxErrored ?? 0,
        repository: Promise.resolve(first.manifest.git),
      },
      copyEvents({ shards, digests, manifest: run.manifest, made: run.stored }),
    );
  } finally {
    await run.release();
  }
}

async function partsOf(runs: readonly string[], store: RunStore): Promise<readonly Part[]> {
  const parts: Part[] = [];
  for (const run of runs) {
    const stored = wholeRun(await store.find(run), 'merge');
    parts.push({ stored, manifest: await stored.manifest() });
  }
  return parts;
}

/** Without this, a merge would turn a run from elsewhere into a run of the project, whose code needs no trust. */
function isOurs({ stored, manifest }: Shard): boolean {
  return isSealed({ directory: stored.place, id: manifest.id }, manifest.leftovers);
}

interface CopyWork {
  readonly shards: readonly Shard[];
  readonly digests: DigestList;
  readonly manifest: Manifest;
  /** The merged run. */
  readonly made: StoredRun;
}

function copyEvents({ shards, digests, manifest, made }: CopyWork): RunWork {
  return async ({ stream, now }) => {
    logFact(stream, now, runStart(manifest));
    for (const shard of shards) {
      const { isLast, isVoid } = await shard.stored.ends();
      for await (const { sequence, at, trial, attempt, fact } of shard.stored.events()) {
        if (trial === undefined && fact.type === 'note') stream.emit({ at, fact });
        if (trial === undefined || isVoid(trial, sequence)) continue;
        // For a trial that was run again, all attempts are copied, but only its last row.
        if (fact.type === 'trial-end' && !isLast(trial, sequence)) continue;
        const place = { at, trial, ...given({ attempt }) };
        const copied = { ...place, fact: await renumbered(fact, shard, { digests, made }) };
        if (fact.type === 'trial-end') await stream.settle(copied);
        else stream.emit(copied);
      }
    }
    return shards.every((shard) => shard.manifest.state === 'completed') ? 'completed' : 'stopped';
  };
}

/** The fact with its attachments restored and the digest numbers of the merged run. */
async function renumbered(
  fact: Fact,
  { stored, manifest, numbersBefore }: Shard,
  { digests, made }: Pick<CopyWork, 'digests' | 'made'>,
): Promise<Fact> {
  const numberOf = (old: number) => digests.numberOf(manifest.digests[old] ?? '');
  if (fact.type === 'transcript-entry') return { ...fact, entry: await stored.wholeEntry(fact.entry) };
  if (fact.type === 'trial-start' && fact.number !== undefined) {
    return { ...fact, number: numbersBefore + fact.number };
  }
  if (fact.type === 'grade') return { ...fact, grade: renumberedGrade(fact.grade, numberOf) };
  if (fact.type !== 'trial-end') return fact;
  const moved = renumberedRow(await stored.movedRow(fact.row, made), numberOf);
  const row: Row = { ...moved, number: numbersBefore + fact.row.number };
  return { type: 'trial-end', row };
}

function mergedManifest(shards: readonly Shard[], digests: DigestList) {
  const [first] = shards as readonly [Shard, ...Shard[]];
  const suites = new Map<string, Manifest['suites'][number]>();
  for (const { manifest } of shards) {
    for (const suite of manifest.suites) {
      // The merged run has more cases than that one.
      const { onlyCase: _, ...own } = suite;
      const cases = own.cases + (suites.get(own.id)?.cases ?? 0);
      suites.set(own.id, { ...(suites.get(own.id) ?? own), cases });
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
    ...given({ config }),
    ...(chosen.size === 0 ? {} : { chosenFrom: [...chosen] }),
    // Only runs of stored cases have weights of difficulties.
    settings: { ...settings, ...(weights === undefined ? {} : { difficultyWeights: weights }) },
    seed,
    projectRoot,
    suites: [...suites.values()],
    targets: [...targets.values()],
    trials: shards.reduce((sum, { manifest: { trials } }) => sum + trials, 0),
  };
}

function refuseDifferent(shards: readonly Part[]): void {
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
      if ((suites.get(id) ?? whole) !== whole) throw different(`the selection or grading of suite "${id}"`);
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

/** The default threshold, and that of a flag, which overrides the test. */
function thresholdOf({ settings }: Manifest): string {
  const { options, threshold = null } = settings;
  return JSON.stringify([threshold, options?.threshold ?? null]);
}

function different(what: string): AssayError {
  return new AssayError('merge-different', `these runs differ in ${what}`, {
    stage: 'plan',
    hint: 'run all shards again with the same suites, config and flags, and merge the new runs',
  });
}

/** Throws if two runs contain the same trial, because they are not shards of one run. */
async function placedShards(parts: readonly Part[]): Promise<readonly Shard[]> {
  const seen = new Set<string>();
  const shards: Shard[] = [];
  let numbers = 0;
  for (const part of parts) {
    shards.push({ ...part, numbersBefore: numbers });
    let highest = part.manifest.trials;
    for await (const row of part.stored.rows()) {
      highest = Math.max(highest, row.number);
      const key = trialKey(row);
      if (seen.has(key)) {
        throw new AssayError('merge-overlap', `several of these runs contain the trial ${key}`, {
          stage: 'plan',
          hint: 'merge the shards of one run, such as --shard 1/2 and --shard 2/2',
        });
      }
      seen.add(key);
    }
    numbers += highest;
  }
  return shards;
}

function notTwo(): AssayError {
  return new AssayError('usage', 'assay merge needs at least two runs', {
    stage: 'plan',
    hint: 'use assay merge RUN RUN',
  });
}
