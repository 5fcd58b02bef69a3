import type { Gate } from '../../analysis/gate-expression.ts';
import type { KappaOf } from '../../analysis/gate-kappa.ts';
import type { RunJudgement } from '../exit-code.ts';
import type { RunState } from '../../core/run.ts';
import type { GateOutcome, Manifest } from '../../core/manifest.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { printGates } from '../../sinks/terminal/gates.ts';
import { calibratedKappa } from './calibrated-kappa.ts';
import { measureGates, readGates, refusePointless } from './check-gates.ts';
import {
  comparedRun,
  compareStored,
  showComparison,
  type ComparedRun,
  type RunComparison,
} from '../compare-runs.ts';
import { openRuns } from '../runs.ts';
import { targetPlugins } from '../registry.ts';
import type { PreparedRun } from '../plan/prepare-run.ts';
import type { Presentation } from '../presentation.ts';
import type { RunOptions, Surroundings } from '../run-options.ts';

/** What decides a run beside its single trials. */
export interface Judges {
  readonly gates: readonly Gate[];
  readonly baseline?: ComparedRun;
  /** Whether single failures count all the same. */
  readonly isStrict: boolean;
}

/** What gates and baseline came to. */
export interface Judged {
  readonly judgement: RunJudgement;
  readonly gates: readonly GateOutcome[];
  readonly baseline?: RunComparison;
}

/** Names the baseline so that it stays the same run: `latest` is another one once this run exists. */
export async function fixBaseline(
  options: RunOptions,
  out: string | undefined,
  surroundings: Surroundings,
): Promise<RunOptions> {
  if (options.baseline === undefined) return options;
  const { run, target } = await (await openRuns(out, surroundings)).find(options.baseline);
  return { ...options, baseline: run.place + (target === undefined ? '' : `#${target}`) };
}

/** Reads what the flags ask for and refuses what no outcome of the plan could meet; undefined when nothing is asked. */
export async function judgesOf(options: RunOptions, prepared: PreparedRun): Promise<Judges | undefined> {
  const gates = readGates(options.gates ?? []);
  const { plan, graders, digests, projectRoot } = prepared;
  const kappaOf = kappaFinder(gates, projectRoot);
  refusePointless(gates, { plan, graders, kappaOf: kappaOf(digests.list) });
  if (gates.length === 0 && options.baseline === undefined) return undefined;
  const isStrict = options.strict === true;
  if (options.baseline === undefined) return { gates, isStrict };
  return { gates, isStrict, baseline: await comparedRun(options.baseline, prepared.runs) };
}

/** Reads what is calibrated only where a gate asks for it. */
function kappaFinder(gates: readonly Gate[], projectRoot: string): (digests: readonly string[]) => KappaOf {
  const isAsked = gates.some(({ metric }) => metric === 'calibration.kappa');
  return (digests) =>
    isAsked
      ? calibratedKappa(projectRoot, digests)
      : (expectation) => [{ expectation, unusable: 'no gate asks for it' }];
}

export interface RunToJudge {
  readonly run: StoredRun;
  readonly manifest: Manifest;
  readonly state: Exclude<RunState, 'running'>;
  /** Of a bounded run, by all of its processes. */
  readonly spentUsd?: number | undefined;
}

/** Measures gates and baseline over the rows of a run whose trials are over. */
export async function judgeRun(judges: Judges, run: RunToJudge): Promise<Judged> {
  const { projectRoot, digests, targets } = run.manifest;
  const plugins = await targetPlugins(targets.map(({ type }) => type));
  const free = targets.filter(({ type }) => plugins.get(type)?.isFree === true);
  const kappaOf = kappaFinder(judges.gates, projectRoot)(digests);
  const gates = await measureGates(judges.gates, {
    reader: run.run,
    kappaOf,
    money: {
      free: new Set(free.map(({ name }) => name)),
      ...(run.spentUsd === undefined ? {} : { spentUsd: run.spentUsd }),
    },
  });
  const baseline =
    judges.baseline &&
    (await compareStored(
      judges.baseline,
      { run: run.run, manifest: { ...run.manifest, state: run.state } },
      { options: { alpha: 0.05, margin: 0.05, across: [] } },
    ));
  const judgement = {
    hasFallen: gates.some(({ holds }) => holds === false) || isWorse(baseline),
    isInvalid:
      run.state !== 'completed' ||
      gates.some(({ holds }) => holds === null) ||
      baseline?.verdict === 'invalid',
    isStrict: judges.isStrict,
  };
  return { judgement, gates, ...(baseline === undefined ? {} : { baseline }) };
}

/** A regression, or more cases that newly fail than chance explains, whatever their scores. */
function isWorse(baseline: RunComparison | undefined): boolean {
  if (baseline === undefined) return false;
  const { verdict, comparisons } = baseline;
  return verdict === 'regressed' || comparisons.some(({ verdicts }) => verdicts?.isMoreThanChance === true);
}

/** The same as the manifest keeps it, for reports and for later. */
export function keptJudged({ gates, baseline }: Judged): Pick<Manifest, 'gates' | 'baseline'> {
  return {
    ...(gates.length === 0 ? {} : { gates }),
    ...(baseline === undefined
      ? {}
      : { baseline: { base: baseline.base, verdict: baseline.verdict, sentence: baseline.sentence } }),
  };
}

/** Says what gates and baseline came to, below what the run came to. */
export function showJudged({ gates, baseline }: Judged, { screen, verbosity }: Presentation): void {
  if (gates.length > 0) printGates(screen, gates);
  if (baseline === undefined) return;
  screen.write(`\nAgainst the baseline ${baseline.base}:\n`);
  showComparison(baseline, screen, verbosity);
}
