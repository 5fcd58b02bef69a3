import type { Row } from '../../../src/core/run.ts';
import { trialKey } from '../../../src/core/trial.ts';
import { eventsOf } from './project.ts';

/** Rows by trial, without everything that a clock has measured. */
export function timeless(rows: readonly Row[]): Readonly<Record<string, unknown>> {
  const sorted = [...rows].sort((a, b) => (trialKey(a) < trialKey(b) ? -1 : 1));
  return Object.fromEntries(sorted.map((row) => [trialKey(row), withoutTimes(row)]));
}

const TIMES = new Set(['startedAt', 'endedAt', 'durationMs', 'latency', 'latencyMs']);

/** The same value without everything that a clock has measured. */
export function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (TIMES.has(key) ? [] : [[key, withoutTimes(each)]])),
  );
}

/** What is wrong with the log of a run: gaps in the sequence, trials that ended more than once. */
export function faultsOfLog(run: string): readonly string[] {
  const faults: string[] = [];
  const ended = new Set<string>();
  for (const [index, { sequence, trial = '', fact }] of eventsOf(run).entries()) {
    if (sequence !== index + 1) faults.push(`event ${index + 1} has the sequence ${sequence}`);
    if (fact.type !== 'trial-end') continue;
    if (ended.has(trial)) faults.push(`${trial} ended twice`);
    ended.add(trial);
  }
  return faults;
}

/** Keys of the trials whose end is in the log. */
export function endedIn(run: string): ReadonlySet<string> {
  return new Set(
    eventsOf(run).flatMap(({ trial, fact }) => (fact.type === 'trial-end' && trial ? [trial] : [])),
  );
}
