import { readGate, type Gate } from '../../analysis/gate-expression.ts';
import { gateMeter, type KnownMoney } from '../../analysis/gate-measure.ts';
import { impossibleGate, outOfRange, type GateScope } from '../../analysis/gate-plan.ts';
import type { RunReader } from '../../core/log.ts';
import type { GateOutcome } from '../../core/manifest.ts';
import type { Problem } from '../../core/problem.ts';
import { addJudged, kappaFault, type Judged, type KappaOf } from '../../analysis/gate-kappa.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import { gradersUnder, type Plan, type PlannedCase } from '../../engine/plan.ts';
import { unfailingGate } from './unfailing-gate.ts';
import { asksAnyJudge } from '../binding/with-members.ts';

/** The gates that can be parsed. */
export function readGates(texts: readonly string[]): readonly Gate[] {
  return texts.map(readGate).flatMap((each) => ('gate' in each ? [each.gate] : []));
}

export interface GatedPlan {
  readonly plan: Plan;
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly kappaOf: KappaOf;
}

/**
 * The problems of gates that cannot be parsed, that can never hold, or that can never fail, with any outcome of the
 * plan. Without a plan: with any outcome at all.
 */
export function gateProblems(texts: readonly string[], gated?: GatedPlan): readonly Problem[] {
  return texts.flatMap((text, at): Problem[] => {
    const read = readGate(text);
    const fault = 'fault' in read ? read.fault : pointless(read.gate, gated);
    return fault === undefined ? [] : [problemOf(fault, texts, at)];
  });
}

function pointless(gate: Gate, gated: GatedPlan | undefined): Omit<Problem, 'file' | 'path'> | undefined {
  const unfailing = unfailingGate(gate);
  if (unfailing !== undefined || gated === undefined) return unfailing ?? outOfRange(gate);
  const { plan, graders, kappaOf } = gated;
  const impossible = impossibleGate(gate, scopeOf(gate, plan));
  if (impossible !== undefined || gate.metric !== 'calibration.kappa') return impossible;
  return kappaFault(gate, judgedIn(gate, plan, graders), kappaOf);
}

export interface MeasuredRun {
  readonly reader: RunReader;
  readonly kappaOf: KappaOf;
  readonly money: KnownMoney;
}

/** Measures the gates over the rows of a run. */
export async function measureGates(
  gates: readonly Gate[],
  { reader, kappaOf, money }: MeasuredRun,
): Promise<readonly GateOutcome[]> {
  if (gates.length === 0) return [];
  const meters = gates.map((gate) => gateMeter(gate, kappaOf, money));
  for await (const row of reader.rows()) for (const meter of meters) meter.add(row);
  return meters.map((meter) => meter.outcome());
}

function scopeOf(gate: Gate, plan: Plan): GateScope {
  const scope = { cases: 0, trials: 0, repetitions: 0, fewest: Infinity, turns: 0 };
  for (const planned of plan.cases) {
    const columns = columnsOf(gate, planned, plan);
    if (columns === 0) continue;
    scope.cases += 1;
    scope.trials += columns * planned.repeat;
    scope.turns += columns * planned.repeat * mostTurns(planned, plan);
    scope.repetitions = Math.max(scope.repetitions, planned.repeat);
    scope.fewest = Math.min(scope.fewest, planned.repeat);
  }
  return scope;
}

/** Without a user there is at most one message, but the agent may also speak before it. */
function mostTurns({ suite, index }: PlannedCase, { suites }: Plan): number {
  const testCase = suites[suite]?.cases.at(index);
  return testCase?.user === undefined && testCase?.module === undefined ? 2 : Infinity;
}

/** Number of targets of a case that the gate covers. */
function columnsOf({ target, tags }: Gate, planned: PlannedCase, plan: Plan): number {
  const { suite, index, targets, skip } = planned;
  if (skip !== undefined) return 0;
  const own = tags.length === 0 ? [] : (plan.suites[suite]?.cases.at(index).tags ?? []);
  if (!tags.every((tag) => own.includes(tag))) return 0;
  return targetsIn({ target }, { targets }).length;
}

function targetsIn(
  { target }: { readonly target?: string | undefined },
  { targets }: Pick<PlannedCase, 'targets'>,
) {
  return target === undefined ? targets : targets.filter((name) => name === target);
}

function judgedIn(gate: Gate, plan: Plan, graders: GatedPlan['graders']): Judged {
  const judged: Judged = new Map();
  for (const planned of plan.cases) {
    if (columnsOf(gate, planned, plan) === 0) continue;
    const expectations = plan.suites[planned.suite]?.cases.at(planned.index).expectations ?? [];
    for (const [i, expectation] of expectations.entries()) {
      if (asksAnyJudge(expectation, graders)) {
        for (const target of targetsIn(gate, planned)) {
          addJudged(judged, expectation.name, gradersUnder(planned.digests, target)[i]);
        }
      }
    }
  }
  return judged;
}

/** On the command line the gate is the place; a request has a list of them. */
function problemOf(fault: Omit<Problem, 'file' | 'path'>, texts: readonly string[], at: number): Problem {
  return { file: `--gate '${texts[at]}'`, path: ['gates', at], ...fault };
}
