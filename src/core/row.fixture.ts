import type { Row } from './run.ts';

/** A row with overrides; without them, of a passed trial. */
export function rowWith(more: Partial<Row> = {}): Row {
  const verdict = more.verdict ?? 'passed';
  return {
    number: 1,
    suite: 's',
    caseId: 'c',
    target: 't',
    repetition: 1,
    attempts: [{ durationMs: 1 }],
    verdict,
    status: verdict,
    passed: verdict === 'passed',
    score: verdict === 'passed' ? 1 : verdict === 'failed' ? 0 : null,
    threshold: 0.8,
    fallenGates: [],
    grades: [],
    output: null,
    durationMs: 1,
    turns: 1,
    steps: 1,
    usage: {},
    costUsd: {},
    tags: [],
    digests: { case: 0, target: 1 },
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: '2026-01-01T00:00:01.000Z',
    ...more,
  };
}
