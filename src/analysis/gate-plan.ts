import { bestLower95, cleanTrialsFor } from './clopper-pearson.ts';
import { meets, type Gate, type GateFault } from './gate-expression.ts';

/** The size of a plan within the filters of a gate. */
export interface GateScope {
  /** Number of distinct cases. */
  readonly cases: number;
  readonly trials: number;
  /** Largest number of repetitions of a case. */
  readonly repetitions: number;
  /** Smallest number of repetitions of a case. Absent: all cases have equally many. */
  readonly fewest?: number;
  /** Largest possible number of turns of all trials. Absent: unknown. */
  readonly turns?: number;
}

/** Fewest turns for a 95th percentile. */
export const TURNS_FOR_P95 = 20;

/** With fewer cases, repetitions cannot bound a rate over cases. */
const CASES_FOR_REPETITIONS = 20;

const UNBOUNDED: readonly Gate['metric'][] = ['cost.total', 'latency.p95', 'errored'];

/** The fault of a gate that no outcome of the plan can meet. Undefined if one can. */
export function impossibleGate(gate: Gate, scope: GateScope): GateFault | undefined {
  if (scope.trials === 0)
    return impossible('the gate selects no trial of the plan', 'check its tag and target');
  return (
    outOfRange(gate) ??
    tooFewRepetitions(gate, scope) ??
    tooFewTurns(gate, scope) ??
    tooFewTrials(gate, scope)
  );
}

/** Why `lower95` cannot be computed for these trials. */
export function unboundable({ cases, trials }: Pick<GateScope, 'cases' | 'trials'>): string | undefined {
  if (trials <= cases || cases >= CASES_FOR_REPETITIONS) return undefined;
  return `with repetitions, pass_rate.lower95 needs at least ${CASES_FOR_REPETITIONS} cases, but there ${cases === 1 ? 'is only one' : `are only ${cases}`}`;
}

/** The fault of a gate that no run at all can meet. Undefined if one can. */
export function outOfRange(gate: Gate): GateFault | undefined {
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
    const message = `flake_rate needs the same number of repetitions for all cases, but they have ${fewest} to ${repetitions}`;
    return impossible(
      message,
      'use the same number for all cases (--repeat), or select cases with [tag=...]',
    );
  }
  const needed = gate.metric === 'flake_rate' ? 2 : gate.k;
  if (repetitions >= needed) return undefined;
  const message = `the gate needs ${needed} repetitions per case, but the plan has ${repetitions}`;
  return impossible(message, `run with --repeat ${needed} or more`);
}

function tooFewTurns(gate: Gate, { turns = Infinity }: GateScope): GateFault | undefined {
  if (gate.metric !== 'latency.p95' || turns >= TURNS_FOR_P95) return undefined;
  const message = `latency.p95 needs at least ${TURNS_FOR_P95} agent turns, but the plan has at most ${turns}`;
  return impossible(message, 'run more cases, or more repetitions (--repeat)');
}

function tooFewTrials(gate: Gate, scope: GateScope): GateFault | undefined {
  if (gate.metric !== 'pass_rate.lower95') return undefined;
  const reason = unboundable(scope);
  if (reason !== undefined) return impossible(reason, 'run more cases, or each case only once');
  const best = bestLower95(scope.cases);
  if (meets(gate, best) || (gate.relation !== '>=' && gate.relation !== '>')) return undefined;
  const needed = cleanTrialsFor(gate.bar);
  const unit = scope.trials > scope.cases ? 'cases' : 'trials';
  const message = `even if all ${scope.cases} ${unit} pass, pass_rate.lower95 is only ${best.toFixed(3)}`;
  const hint = Number.isFinite(needed)
    ? `to reach ${gate.bar}, run at least ${needed} ${unit}; all of them must pass`
    : `no number of trials can reach ${gate.bar}`;
  return impossible(message, hint);
}

function nameOf({ metric, k }: Gate): string {
  return k === 0 ? metric : `${metric}${k}`;
}

function impossible(message: string, hint: string): GateFault {
  return { code: 'gate-impossible', message, hint };
}
