import { bestLower95, cleanTrialsFor } from './clopper-pearson.ts';
import { meets, type Gate, type GateFault } from './gate-expression.ts';

/** What a plan has for a gate, after its filters. */
export interface GateScope {
  /** Different cases. */
  readonly cases: number;
  readonly trials: number;
  /** Repetitions of the case that has most. */
  readonly repetitions: number;
  /** Repetitions of the case that has fewest; absent: every case has as many. */
  readonly fewest?: number;
  /** The most turns that its trials can have together; absent: unknown. */
  readonly turns?: number;
}

/** What a 95th percentile takes. */
export const TURNS_FOR_P95 = 20;

/** Below this, repetitions say too little about cases to bound a rate. */
const CASES_FOR_REPETITIONS = 20;

const UNBOUNDED: readonly Gate['metric'][] = ['cost.total', 'latency.p95', 'errored'];

/** Why no outcome of the plan could meet the gate; undefined when one could. */
export function impossibleGate(gate: Gate, scope: GateScope): GateFault | undefined {
  if (scope.trials === 0)
    return impossible('no trial of the plan is selected by it', 'check its tag and target');
  return (
    outOfRange(gate) ??
    tooFewRepetitions(gate, scope) ??
    tooFewTurns(gate, scope) ??
    tooFewTrials(gate, scope)
  );
}

/** Why `lower95` is not given for these trials. */
export function unboundable({ cases, trials }: Pick<GateScope, 'cases' | 'trials'>): string | undefined {
  if (trials <= cases || cases >= CASES_FOR_REPETITIONS) return undefined;
  return `repetitions of ${cases === 1 ? 'one case' : `${cases} cases`} do not bound the rate over cases: that takes ${CASES_FOR_REPETITIONS} cases`;
}

function outOfRange(gate: Gate): GateFault | undefined {
  const top = UNBOUNDED.includes(gate.metric) ? Infinity : 1;
  const bottom = gate.metric === 'calibration.kappa' ? -1 : 0;
  const isOpen = gate.relation === '>=' || gate.relation === '>';
  const nearest = isOpen ? top : gate.relation === '==' ? Math.min(Math.max(gate.bar, bottom), top) : bottom;
  if (nearest === Infinity || meets(gate, nearest)) return undefined;
  const range = top === 1 ? `lies between ${bottom} and 1` : 'is never below 0';
  return impossible(`${nameOf(gate)} ${range}`, `choose a limit that ${nameOf(gate)} can reach`);
}

function tooFewRepetitions(
  gate: Gate,
  { repetitions, fewest = repetitions }: GateScope,
): GateFault | undefined {
  if (gate.metric === 'flake_rate' && fewest < repetitions) {
    const message = `its cases have ${fewest} to ${repetitions} repetitions, and a flake rate grows with their number`;
    return impossible(message, 'give all cases equally many (--repeat), or select such cases with [tag=...]');
  }
  const needed = gate.metric === 'flake_rate' ? 2 : gate.k;
  if (repetitions >= needed) return undefined;
  const message = `it takes ${needed} repetitions of a case and the plan has ${repetitions}`;
  return impossible(message, `run with --repeat ${needed} or more`);
}

function tooFewTurns(gate: Gate, { turns = Infinity }: GateScope): GateFault | undefined {
  if (gate.metric !== 'latency.p95' || turns >= TURNS_FOR_P95) return undefined;
  const message = `the 95th percentile takes ${TURNS_FOR_P95} turns and the plan has at most ${turns}`;
  return impossible(message, 'run more cases, or each of them more often (--repeat)');
}

function tooFewTrials(gate: Gate, scope: GateScope): GateFault | undefined {
  if (gate.metric !== 'pass_rate.lower95') return undefined;
  const reason = unboundable(scope);
  if (reason !== undefined) return impossible(reason, 'run more cases, or each of them once');
  const best = bestLower95(scope.cases);
  if (meets(gate, best) || (gate.relation !== '>=' && gate.relation !== '>')) return undefined;
  const needed = cleanTrialsFor(gate.bar);
  const unit = scope.trials > scope.cases ? 'cases' : 'trials';
  const message = `${scope.cases} ${unit} show at most ${best.toFixed(3)}, even when all of them pass`;
  const hint = Number.isFinite(needed)
    ? `${gate.bar} takes at least ${needed} ${unit} that all pass`
    : `no number of trials shows ${gate.bar}`;
  return impossible(message, hint);
}

function nameOf({ metric, k }: Gate): string {
  return k === 0 ? metric : `${metric}${k}`;
}

function impossible(message: string, hint: string): GateFault {
  return { code: 'gate-impossible', message, hint };
}
