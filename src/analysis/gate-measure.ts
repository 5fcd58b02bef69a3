import type { Row } from '../core/run.ts';
import type { GateOutcome } from '../core/manifest.ts';
import { percentile } from '../lib/spread.ts';
import { round9 } from '../lib/text/decimals.ts';
import { clusteredRate } from './clustered-rate.ts';
import { meets, type Gate } from './gate-expression.ts';
import { addJudged, isJudged, kappaOfAll, type Judged, type KappaOf } from './gate-kappa.ts';
import { TURNS_FOR_P95, unboundable } from './gate-plan.ts';
import { passAll, passAt } from './pass-at.ts';
import { plural } from '../lib/text/plural.ts';

/** Collects the rows of a run, one per trial. */
export interface GateMeter {
  add(row: Row): void;
  outcome(): GateOutcome;
}

/** Costs of a run that are not in its rows. */
export interface KnownMoney {
  /** Free targets. */
  readonly free: ReadonlySet<string>;
  /** Highest possible cost of a run with a cost limit in US dollars, including abandoned attempts. */
  readonly spentUsd?: number;
}

/** `kappaOf`: the calibrations of graders with a judge. */
export function gateMeter(gate: Gate, kappaOf: KappaOf, money: KnownMoney = { free: new Set() }): GateMeter {
  const seen: Seen = {
    units: new Map(),
    turns: [],
    cost: { usd: 0, unknown: 0 },
    errored: 0,
    judged: new Map(),
    kappaOf,
    money,
  };
  return {
    add: (row) => {
      if (selects(gate, row)) take(seen, row, gate);
    },
    outcome: () => {
      const measured = measures[gate.metric](seen, gate);
      const { value, says } = measured;
      if (value !== null) return { gate: gate.text, holds: meets(gate, value), value: round9(value), says };
      const holds = measured.atLeast !== undefined && isSurelyAbove(gate, measured.atLeast) ? false : null;
      return { gate: gate.text, holds, value, says };
    },
  };
}

interface Unit {
  /** Suite and id, because targets and repetitions of a case are correlated. */
  readonly case: string;
  /** Number of repetitions, measured or not. */
  trials: number;
  /** Whether any repetition was started. A skipped case does not count. */
  isTried: boolean;
  passed: number;
  measured: number;
  readonly scores: { n: number; sum: number };
}

interface Seen {
  /** One unit per case and target. */
  readonly units: Map<string, Unit>;
  /** Latencies in milliseconds, for gates that need all of them. */
  readonly turns: number[];
  readonly cost: { usd: number; unknown: number };
  errored: number;
  /** For gates on kappa. */
  readonly judged: Judged;
  readonly kappaOf: KappaOf;
  readonly money: KnownMoney;
}

interface Measured {
  readonly value: number | null;
  readonly says: string;
  /** A lower bound, if the value itself is unknown. */
  readonly atLeast?: number;
}

function selects({ tags, target }: Gate, row: Row): boolean {
  return (target === undefined || target === row.target) && tags.every((tag) => row.tags.includes(tag));
}

function take(seen: Seen, row: Row, { metric }: Gate): void {
  const { verdict } = row;
  const costs = Object.values(row.costUsd);
  const isSilent =
    row.costUsd.agent === undefined && verdict !== 'skipped' && !seen.money.free.has(row.target);
  if (isSilent || costs.includes(null)) seen.cost.unknown += 1;
  for (const usd of costs) seen.cost.usd += usd ?? 0;
  if (verdict === 'errored') seen.errored += 1;
  if (metric === 'calibration.kappa') {
    for (const grade of row.grades) if (isJudged(grade)) addJudged(seen.judged, grade.name, grade.digest);
  }
  if (metric === 'latency.p95' && isMeasured(verdict)) seen.turns.push(...(row.latency ?? []));
  const unit = unitOf(seen, row);
  unit.trials += 1;
  unit.isTried ||= verdict === 'errored' || isMeasured(verdict);
  if (row.score !== null) {
    unit.scores.n += 1;
    unit.scores.sum += row.score;
  }
  if (!isMeasured(verdict)) return;
  unit.measured += 1;
  if (verdict === 'passed') unit.passed += 1;
}

function isMeasured(verdict: Row['verdict']): boolean {
  return verdict === 'passed' || verdict === 'failed';
}

function unitOf({ units }: Seen, { suite, caseId, target }: Row): Unit {
  const name = `${suite}\n${caseId}`;
  const key = `${name}\n${target}`;
  const unit = units.get(key) ?? {
    case: name,
    trials: 0,
    isTried: false,
    passed: 0,
    measured: 0,
    scores: { n: 0, sum: 0 },
  };
  units.set(key, unit);
  return unit;
}

const measures: Readonly<Record<Gate['metric'], (seen: Seen, gate: Gate) => Measured>> = {
  pass_rate: (seen) => {
    const { passed, measured } = totalOf(seen);
    if (measured === 0) return nothing;
    const says = `${passed}/${measured} passed`;
    if (!areUneven(seen)) return { value: passed / measured, says };
    return caseMean(seen, ({ passed: hits, measured: of }) => ({ sum: hits, n: of }), says);
  },
  'pass_rate.lower95': (seen) => lowerBound(seen),
  'score.mean': (seen) => {
    const total = { n: 0, sum: 0 };
    for (const { scores } of seen.units.values()) {
      total.n += scores.n;
      total.sum += scores.sum;
    }
    if (total.n === 0) return nothing;
    if (!areUneven(seen))
      return { value: total.sum / total.n, says: `the mean of ${plural(total.n, 'score')}` };
    return caseMean(seen, ({ scores }) => scores, plural(total.n, 'score'));
  },
  'cost.total': ({ cost: { usd, unknown }, money }, gate) => {
    if (unknown === 0) return knownCost(usd, money, gate);
    const known = usd === 0 ? '' : `at least $${round9(usd)}: `;
    return { value: null, atLeast: usd, says: `${known}the cost of ${plural(unknown, 'trial')} is unknown` };
  },
  'latency.p95': ({ turns }) =>
    turns.length < TURNS_FOR_P95
      ? {
          value: null,
          says: `it needs at least ${TURNS_FOR_P95} agent turns, but only ${turns.length} were measured`,
        }
      : { value: percentile(Float64Array.from(turns).sort(), 0.95), says: `ms, of ${turns.length} turns` },
  'pass^': (seen, { k }) => meanOverUnits(seen, k, passAll),
  'pass@': (seen, { k }) => meanOverUnits(seen, k, passAt),
  flake_rate: (seen) => flakeRate(seen),
  errored: ({ errored }) => ({ value: errored, says: `${plural(errored, 'trial')} errored` }),
  'calibration.kappa': ({ judged, kappaOf }, gate) => kappaOfAll(gate, judged, kappaOf),
};

/** The cost with abandoned attempts, which are in no row and cost at most the rest of the run's total. */
function knownCost(usd: number, { spentUsd = usd }: KnownMoney, gate: Gate): Measured {
  const isWhole = gate.tags.length === 0 && gate.target === undefined;
  // The cost limit rounds every call up to a whole unit.
  if (!isWhole || spentUsd <= usd + 1e-6) return { value: usd, says: 'USD, all calls' };
  const says = `USD at most, including $${round9(usd)} of ended trials`;
  if (meets(gate, usd) === meets(gate, spentUsd)) return { value: spentUsd, says };
  return {
    value: null,
    says: `between $${round9(usd)} and $${round9(spentUsd)}, because attempts were abandoned`,
  };
}

const nothing: Measured = { value: null, says: 'nothing was measured' };

function totalOf({ units }: Seen): { passed: number; measured: number } {
  const total = { passed: 0, measured: 0 };
  for (const unit of units.values()) {
    total.passed += unit.passed;
    total.measured += unit.measured;
  }
  return total;
}

/** Whether cases have different numbers of repetitions. */
function areUneven({ units }: Seen): boolean {
  const tried = [...units.values()].flatMap(({ isTried, trials }) => (isTried ? [trials] : []));
  return tried.some((trials) => trials !== tried[0]);
}

function caseMean(
  { units }: Seen,
  partOf: (unit: Unit) => { readonly sum: number; readonly n: number },
  says: string,
): Measured {
  const means = [...units.values()].map(partOf).flatMap(({ sum, n }) => (n === 0 ? [] : [sum / n]));
  const value = means.reduce((sum, mean) => sum + mean, 0) / means.length;
  return {
    value,
    says: `${says}; numbers of repetitions differ, so each of ${plural(means.length, 'case')} counts once`,
  };
}

/** The flake rate grows with repetitions, so only cases with equally many are counted. */
function flakeRate({ units }: Seen): Measured {
  const tried = [...units.values()].filter(({ measured }) => measured >= 2);
  if (tried.length === 0) return { value: null, says: 'no case was measured twice' };
  const most = Math.max(...tried.map(({ measured }) => measured));
  const counted = tried.filter(({ measured }) => measured === most);
  const flaky = counted.filter(({ passed }) => passed > 0 && passed < most).length;
  const fewer = units.size - counted.length;
  const left = fewer === 0 ? '' : `; ${plural(fewer, 'case')} with fewer left out`;
  const says = `${flaky} of ${plural(counted.length, 'case')} are flaky at ${most} repetitions${left}`;
  return { value: flaky / counted.length, says };
}

function lowerBound(seen: Seen): Measured {
  const cases = new Map<string, { passed: number; measured: number }>();
  for (const unit of seen.units.values()) {
    const known = cases.get(unit.case) ?? { passed: 0, measured: 0 };
    cases.set(unit.case, { passed: known.passed + unit.passed, measured: known.measured + unit.measured });
  }
  const { passed, measured } = totalOf(seen);
  const clustered = clusteredRate(cases.values());
  if (clustered === null) return nothing;
  const reason = unboundable(clustered);
  if (reason !== undefined) return { value: null, says: reason };
  const repeated = clustered.trials > clustered.cases;
  const worth = repeated
    ? ` in ${clustered.cases} cases, equivalent to ${Math.floor(clustered.effective + 1e-9)} independent trials`
    : '';
  return { value: clustered.lower95, says: `${passed}/${measured} passed${worth}` };
}

function meanOverUnits({ units }: Seen, k: number, chance: typeof passAt): Measured {
  const chances = [...units.values()]
    .map(({ passed, measured }) => chance(measured, passed, k))
    .filter((value) => value !== null);
  if (chances.length === 0) return { value: null, says: `no case was measured ${k} times` };
  const value = chances.reduce((sum, each) => sum + each, 0) / chances.length;
  return { value, says: `the mean over ${plural(chances.length, 'case')}` };
}

/** Whether a value of at least `atLeast` certainly misses the gate. */
function isSurelyAbove({ relation, bar }: Gate, atLeast: number): boolean {
  if (relation === '<=' || relation === '==') return atLeast > bar;
  return relation === '<' && atLeast >= bar;
}
