import { given } from '../lib/given.ts';
import { nearest } from '../lib/text/suggest.ts';

/** The metrics of gates without a parameter. */
const NAMES = [
  'pass_rate',
  'pass_rate.lower95',
  'score.mean',
  'cost.total',
  'latency.p95',
  'flake_rate',
  'errored',
  'calibration.kappa',
] as const;

/** The metrics of gates. `pass^k` and `pass@k` have a parameter k. */
export type GateMetric = (typeof NAMES)[number] | 'pass^' | 'pass@';

export type Relation = '>=' | '>' | '<=' | '<' | '==';

/** A condition on a run, such as `pass_rate.lower95 >= 0.8`. */
export interface Gate {
  /** The expression as written. */
  readonly text: string;
  readonly metric: GateMetric;
  /** Parameter of `pass^k` and `pass@k`, else 0. */
  readonly k: number;
  /** Counts only trials with all of these tags. */
  readonly tags: readonly string[];
  /** Counts only trials of this target. */
  readonly target?: string;
  readonly relation: Relation;
  readonly bar: number;
}

/** The fault of an invalid gate expression. */
export interface GateFault {
  readonly code: 'gate-unreadable' | 'gate-impossible' | 'gate-unavailable';
  readonly message: string;
  readonly hint: string;
}

export type ReadGate = { readonly gate: Gate } | { readonly fault: GateFault };

const EXPRESSION =
  /^\s*([^\s<>=[\]]+)((?:\[[^\]]*\])*)(\.[^\s<>=[\]]+)?((?:\[[^\]]*\])*)\s*(>=|<=|==|=|>|<)\s*(\S+)\s*$/;
const METRICS_TEXT = `${NAMES.join(', ')}, pass^3, pass@3`;

/** Parses `METRIC[tag=T][target=X] >= NUMBER`. */
export function readGate(text: string): ReadGate {
  const match = EXPRESSION.exec(text);
  if (match === null) {
    const hint = "write a metric, a comparison and a number, such as 'pass_rate.lower95 >= 0.8'";
    return unreadable('expected a comparison of a metric with a number', hint);
  }
  const [, head = '', before = '', tail = '', after = '', relation = '', number = ''] = match;
  const named = metricOf(head + tail);
  if (named === undefined) {
    const near = nearest(head + tail, NAMES);
    const hint =
      near === undefined ? `metrics: ${METRICS_TEXT}` : `did you mean ${near}? metrics: ${METRICS_TEXT}`;
    return unreadable(`unknown metric ${head + tail}`, hint);
  }
  const filter = filterOf(before + after);
  if ('fault' in filter) return filter;
  const bar = Number(number);
  if (!Number.isFinite(bar))
    return unreadable(`${number} is not a number`, 'write rates from 0 to 1, such as 0.8');
  return {
    gate: {
      text: text.trim(),
      ...named,
      ...filter,
      relation: (relation === '=' ? '==' : relation) as Relation,
      bar,
    },
  };
}

/** Whether a value meets the gate. Both are rounded to 9 decimals first. */
export function meets({ relation, bar }: Gate, raw: number): boolean {
  const value = Math.round(raw * 1e9);
  const limit = Math.round(bar * 1e9);
  switch (relation) {
    case '>=':
      return value >= limit;
    case '>':
      return value > limit;
    case '<=':
      return value <= limit;
    case '<':
      return value < limit;
    case '==':
      return value === limit;
    default:
      return relation satisfies never;
  }
}

function metricOf(name: string): { readonly metric: GateMetric; readonly k: number } | undefined {
  const metric = NAMES.find((each) => each === name);
  if (metric !== undefined) return { metric, k: 0 };
  const match = /^(pass[@^])([1-9]\d{0,5})$/.exec(name);
  return match === null ? undefined : { metric: match[1] as GateMetric, k: Number(match[2]) };
}

function filterOf(text: string): Pick<Gate, 'tags' | 'target'> | { readonly fault: GateFault } {
  const tags: string[] = [];
  let target: string | undefined;
  const parts = text === '' ? [] : text.slice(1, -1).split(/\]\[|,/);
  for (const part of parts) {
    const [, key, value = ''] = /^\s*(tag|target)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    if (key === undefined || value === '') {
      return unreadable(`invalid selector [${part}]`, 'write [tag=smoke] or [target=x] after the metric');
    }
    if (key === 'tag') tags.push(value);
    else if (target === undefined) target = value;
    else return unreadable('the gate names two targets', 'use a separate --gate for each target');
  }
  return { tags, ...given({ target }) };
}

function unreadable(message: string, hint: string): { readonly fault: GateFault } {
  return { fault: { code: 'gate-unreadable', message, hint } };
}
