import type { RunComparison } from '../../core/run-comparison.ts';
import type { Gate } from '../../analysis/gate-expression.ts';
import type { KappaOf, KnownKappa } from '../../analysis/gate-kappa.ts';
import { AssayError } from '../../core/errors.ts';
import { AuthoringError, type Problem } from '../../core/problem.ts';
import type { RunStore, StoredRun } from '../../core/run-store.ts';
import type { Status } from '../../core/verdict.ts';
import type { GateOutcome } from '../../core/manifest.ts';
import { madeOf } from '../compare/chosen-from.ts';
import { given } from '../../lib/given.ts';
import { type GatedPlan, gateProblems, measureGates, readGates } from './check-gates.ts';
import { comparedRun, compareStored, type ComparedRun } from '../compare/compare-stored.ts';
import { openRuns } from '../runs.ts';
import { targetPlugins } from '../registry.ts';
import type { BoundRun } from '../binding/bind.ts';
import type { DecidedConditions, EndedRun } from '../running/run-execution.ts';
import type { RunOptions } from '../../core/run-options.ts';
import type { Surroundings } from '../surroundings.ts';
import { stripControls } from '../../lib/text/terminal-text.ts';
import { calibrationsOf, whyNotCurrent, type CalibrationState } from '../../reading/calibration-state.ts';
import { loadCalibration } from '../calibration/calibration-file.ts';

/** The requested conditions on the whole run: gates and baseline. */
export interface AskedConditions {
  readonly gates: readonly Gate[];
  readonly baseline?: ComparedRun;
  /** Whether single failures also fail the run (`--strict`). */
  readonly isStrict: boolean;
}

/** The results of gates and baseline. */
export interface MeasuredConditions extends DecidedConditions {
  readonly gates: readonly GateOutcome[];
  readonly baseline?: RunComparison;
}

/** Resolves the baseline before the run is created, because `latest` would then be the new run. */
export async function fixBaseline(
  options: RunOptions,
  out: string | undefined,
  surroundings: Surroundings,
): Promise<RunOptions> {
  if (options.baseline === undefined) return options;
  const { run, target } = await (await openRuns(out, surroundings)).find(options.baseline);
  const name = run.isWithoutFiles === true ? run.reference : run.place;
  return { ...options, baseline: name + (target === undefined ? '' : `#${target}`) };
}

/** Reads the flags and refuses conditions that no outcome can meet. Undefined without conditions. */
export async function askedConditions({
  spec,
  machine,
  plan,
}: BoundRun): Promise<AskedConditions | undefined> {
  const { options, digests } = spec;
  const { runs } = machine;
  const problems = plannedGateProblems(options, { ...machine, plan, digests });
  if (problems.length > 0) throw new AuthoringError(problems);
  const gates = readGates(options.gates ?? []);
  if (gates.length === 0 && options.baseline === undefined) return undefined;
  const isStrict = options.strict === true;
  if (options.baseline === undefined) return { gates, isStrict };
  return { gates, isStrict, baseline: await baselineRun(options.baseline, runs) };
}

/** The problems of gates that no outcome of a plan can meet, or none can miss. */
export function plannedGateProblems(
  { gates = [] }: Pick<RunOptions, 'gates'>,
  {
    projectRoot,
    digests,
    ...planned
  }: Omit<GatedPlan, 'kappaOf'> & { readonly projectRoot: string; readonly digests: readonly string[] },
): readonly Problem[] {
  const kappaOf = kappaFinder(readGates(gates), projectRoot)(digests);
  return gateProblems(gates, { ...planned, kappaOf });
}

/** Throws `run-not-found` for one that was removed while the run waited. */
async function baselineRun(reference: string, runs: Pick<RunStore, 'find'>): Promise<ComparedRun> {
  try {
    return await comparedRun(reference, runs);
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'run-not-found') throw error;
    const message = `the run ${reference}, which this run is compared with, no longer exists`;
    const hint = 'start the run again, with another baseline or without one';
    throw new AssayError('run-not-found', message, { stage: 'plan', hint, cause: error });
  }
}

/** Reads calibrations only if a gate needs them. */
function kappaFinder(gates: readonly Gate[], projectRoot: string): (digests: readonly string[]) => KappaOf {
  const isAsked = gates.some(({ metric }) => metric === 'calibration.kappa');
  return (digests) =>
    isAsked
      ? calibratedKappa(projectRoot, digests)
      : (expectation) => [{ expectation, unusable: 'no gate uses it' }];
}

/** Measures gates and baseline over the rows of a finished run. */
export async function measureConditions(asked: AskedConditions, run: EndedRun): Promise<MeasuredConditions> {
  const { projectRoot, digests, targets } = run.manifest;
  const plugins = await targetPlugins(targets.map(({ type }) => type));
  const free = targets.filter(({ type }) => plugins.get(type)?.isFree === true);
  const kappaOf = kappaFinder(asked.gates, projectRoot)(digests);
  const gates = await measureGates(asked.gates, {
    reader: run.run,
    kappaOf,
    money: {
      free: new Set(free.map(({ name }) => name)),
      ...given({ spentUsd: run.spentUsd }),
    },
  });
  const baseline =
    asked.baseline &&
    (await compareStored(
      asked.baseline,
      {
        run: run.run,
        manifest: { ...run.manifest, state: run.state },
        trialsFrom: [run.manifest.id, ...madeOf(run.manifest)],
      },
      { options: { alpha: 0.05, margin: 0.05, across: [] } },
    ));
  const judgement = {
    hasFallen:
      gates.some(({ holds }) => holds === false) ||
      isWorse(baseline) ||
      (await hasFailed(run.run, baseline?.unpaired.candidate ?? [])),
    isInvalid:
      run.state !== 'completed' ||
      gates.some(({ holds }) => holds === null) ||
      baseline?.verdict === 'invalid',
    isStrict: asked.isStrict,
  };
  return { judgement, kept: keptConditions(gates, baseline), gates, ...given({ baseline }) };
}

/** A regression of the score, or more newly failing cases than chance explains. */
function isWorse(baseline: RunComparison | undefined): boolean {
  if (baseline === undefined) return false;
  const { verdict, comparisons } = baseline;
  return verdict === 'regressed' || comparisons.some(({ verdicts }) => verdicts?.isMoreThanChance === true);
}

/** Whether a trial of these targets failed. With nothing to compare them with, their single failures count. */
async function hasFailed(run: Pick<StoredRun, 'unpassed'>, targets: readonly string[]): Promise<boolean> {
  if (targets.length === 0) return false;
  for await (const { target, status } of run.unpassed()) {
    if (targets.includes(target) && FAILURES.has(status)) return true;
  }
  return false;
}

const FAILURES: ReadonlySet<Status> = new Set(['failed', 'unexpected-passed']);

/** The part that the manifest keeps for reports. */
function keptConditions(
  gates: readonly GateOutcome[],
  baseline: RunComparison | undefined,
): DecidedConditions['kept'] {
  return {
    ...(gates.length === 0 ? {} : { gates }),
    ...(baseline === undefined
      ? {}
      : { baseline: { base: baseline.base, verdict: baseline.verdict, sentence: baseline.sentence } }),
  };
}

/** Finds the calibrated agreement of graders in a project. `digests`: the digests that their numbers refer to. */
function calibratedKappa(projectRoot: string, digests: readonly string[]): KappaOf {
  const calibrations = loadCalibration(projectRoot);
  return (expectation, numbers) =>
    calibrationsOf(calibrations, { expectation, digests: numbers }, (number) => digests[number]).map(
      (found) => knownKappa(stripControls(expectation), found),
    );
}

function knownKappa(name: string, found: CalibrationState): KnownKappa {
  const unusable = (why: string) => ({ expectation: name, unusable: `${name} ${why}` });
  if (found.state === 'missing') return unusable('is not calibrated');
  if (found.state !== 'current') return unusable(whyNotCurrent(found));
  const { notEnough, kappa, cases } = found.calibration;
  if (cases === undefined) {
    return unusable('was calibrated by an older version of assay: calibrate it again');
  }
  if (notEnough !== undefined) return unusable(`is not calibrated well enough: ${notEnough}`);
  if (kappa === null) return unusable('has a calibration without kappa');
  return { expectation: name, kappa: kappa.value };
}
