import { AssayError } from '../../src/core/errors.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import { outcomeOfRow, type RowOutcome } from '../../src/core/row-outcome.ts';
import type { Emitted, Row, RunEvent } from '../../src/core/run.ts';
import type { OpenRun, StoredRun, StoredTrial, ToldAtEnd } from '../../src/core/run-store.ts';
import { emptyTally, type Tally } from '../../src/reading/tally.ts';
import type { Transcript } from '../../src/core/transcript.ts';
import { trialKey } from '../../src/core/trial.ts';
import { createRedactor } from '../../src/lib/redact/redact.ts';
import {
  all,
  attemptOf,
  ended,
  note,
  of,
  rowOf,
  said,
} from '../../src/storage/run-directory/fixtures/runs.ts';

export const SECRET = 'k9-Zq7-secret-0a1b2c3d';
export const HIDDEN = '[redacted:SERVICE_TOKEN]';
export const redactor = createRedactor({ environment: { SERVICE_TOKEN: SECRET } });

/** Too large for its place. */
export const LONG = 'x'.repeat(70_000);

export const keyOf = (caseId: string): string => trialKey(rowOf(caseId));

export const unmeasured = (caseId: string): Row =>
  rowOf(caseId, { verdict: 'errored', status: 'errored', passed: false, score: null });

/** Three trials: one that passes at its second attempt, one that fails and one that is skipped. */
export const FACTS: readonly Emitted[] = [
  {
    ...note(''),
    fact: {
      type: 'run-start',
      formatVersion: 1,
      plan: { trials: 3, seed: 1 },
      digests: { suites: {}, targets: {} },
    },
  },
  of('a', { type: 'trial-start' }),
  ...attemptOf('a', 1, ['first try']),
  ...attemptOf('a', 2, [LONG, SECRET]),
  of('b', { type: 'trial-start' }),
  ...attemptOf('b', 1, ['no']),
  ended(rowOf('a', { output: LONG, notes: [SECRET] })),
  ended(
    rowOf('b', { verdict: 'failed', status: 'failed', passed: false, score: 0, fallenGates: ['polite'] }),
  ),
  ended(rowOf('c', { verdict: 'skipped', status: 'skipped', passed: false, score: null, skipped: 'budget' })),
  of('a', { type: 'note', text: `late ${SECRET}` }),
  { ...note(''), fact: { type: 'run-state', state: 'completed' } },
];

/** The same as earlier versions told it: without the numbers of trials. */
export function withoutNumbers(facts: readonly Emitted[]): readonly Emitted[] {
  return facts.map((emitted) => {
    const { fact } = emitted;
    if (fact.type === 'trial-start') return { ...emitted, fact: { type: 'trial-start' } };
    if (fact.type !== 'trial-end') return emitted;
    const { number: _, ...row } = fact.row;
    return { ...emitted, fact: { type: 'trial-end', row: row as Row } };
  });
}

/** All that a run tells. */
export interface Told {
  readonly manifest: Manifest;
  readonly events: readonly RunEvent[];
  /** Events after the third. */
  readonly later: readonly RunEvent[];
  readonly rows: readonly Row[];
  readonly outcomes: readonly RowOutcome[];
  readonly unpassed: readonly Row[];
  /** Those of case `a`. */
  readonly ofCase: readonly Row[];
  readonly counts: Tally['byStatus'];
  readonly beside: readonly RunEvent[];
  readonly trials: readonly StoredTrial[];
  readonly transcripts: ReadonlyMap<string, Transcript>;
}

export async function readAll(run: StoredRun): Promise<Told> {
  return {
    manifest: await run.manifest(),
    events: await all(run.events()),
    later: await all(run.events(3)),
    rows: await all(run.rows()),
    outcomes: (await all(run.outcomes())).flat(),
    unpassed: await all(run.unpassed()),
    ofCase: await all(run.rowsOfCases(new Set(['a']))),
    counts: await run.counts(),
    beside: await besideOf(run),
    trials: await all(run.trials()),
    transcripts: await run.transcripts(new Set([keyOf('a'), keyOf('b')])),
  };
}

/** What a run tells that holds `FACTS`, kept as these events. */
export function toldByFacts(manifest: Manifest, events: readonly RunEvent[]): Told {
  const rows = events.flatMap(({ fact }) => (fact.type === 'trial-end' ? [fact.row] : []));
  const ofA: Transcript = [said('e1', LONG), said('e2', HIDDEN)];
  const ofB: Transcript = [said('e1', 'no')];
  return {
    manifest,
    events,
    later: events.slice(3),
    rows,
    outcomes: rows.map(outcomeOfRow),
    unpassed: rows.slice(1, 2),
    ofCase: rows.slice(0, 1),
    counts: countsOf(rows),
    beside: events.filter(({ trial, fact }) => trial === undefined || fact.type === 'note'),
    trials: rows.map((row, index) => ({ row, transcript: [ofA, ofB][index] ?? [] })),
    transcripts: new Map([
      [keyOf('a'), ofA],
      [keyOf('b'), ofB],
    ]),
  };
}

export async function besideOf(run: StoredRun): Promise<readonly RunEvent[]> {
  const events = run.runEvents?.();
  return events === undefined ? [] : all(events);
}

export function countsOf(rows: readonly Row[]): Tally['byStatus'] {
  const counts = { ...emptyTally.byStatus };
  for (const { status } of rows) counts[status] += 1;
  return counts;
}

/** Appends facts behind the events that are there, and gives the events. */
export async function write(
  run: OpenRun,
  facts: readonly Emitted[],
  lastSequence = 0,
): Promise<readonly RunEvent[]> {
  const log = run.openLog(lastSequence);
  const events = await log.append(facts);
  log.writeRows();
  log.close();
  return events;
}

/** Ends a run that has these rows. */
export async function finish(
  run: OpenRun,
  rows: readonly Row[],
  told: Partial<ToldAtEnd> = {},
): Promise<void> {
  const { costUsd } = emptyTally;
  const manifest: Manifest = { ...run.manifest, state: 'completed', exitCode: 0 };
  await run.finish(manifest, { byStatus: countsOf(rows), costUsd, ...told });
  await run.release();
}

export async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AssayError) return error.code;
    throw error;
  }
  return undefined;
}

/** Writes a run from beginning to end. */
export async function complete(run: OpenRun, facts: readonly Emitted[]): Promise<OpenRun> {
  await write(run, facts);
  await finish(run, []);
  return run;
}
