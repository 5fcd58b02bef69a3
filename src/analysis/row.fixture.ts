import type { Row } from '../core/run.ts';

/** A passed row with overrides. */
export function rowWith(more: Partial<Row>): Row {
  const verdict = more.verdict ?? 'passed';
  return {
    number: 1,
    suite: 's.eval.yaml',
    caseId: 'a',
    target: 'agent',
    repetition: 1,
    attempts: [{ durationMs: 5 }],
    verdict,
    status: verdict,
    passed: verdict === 'passed',
    score: verdict === 'passed' ? 1 : verdict === 'failed' ? 0 : null,
    threshold: 0.8,
    fallenGates: [],
    grades: [],
    output: 'yes',
    durationMs: 5,
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

/** Rows of one case: `p` passed, `f` failed, `e` errored, `s` skipped. */
export function rowsOf(caseId: string, verdicts: string, more: Partial<Row> = {}): Row[] {
  const names = { p: 'passed', f: 'failed', e: 'errored', s: 'skipped' } as const;
  return [...verdicts].map((letter, i) =>
    rowWith({ caseId, repetition: i + 1, verdict: names[letter as keyof typeof names], ...more }),
  );
}
