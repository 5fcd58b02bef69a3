import type { Row } from '../../../src/core/run.ts';

/** What a row came to, without its words and times. */
export function outcomeOf(row: Row): unknown {
  const { verdict, status, passed, score, output, error, attempts } = row;
  return {
    verdict,
    status,
    passed,
    score,
    output,
    attempts: attempts.length,
    ...(error === undefined ? {} : { stage: error.stage, kind: error.kind, detail: error.detail ?? '' }),
  };
}

export function passedWith(output: string, more: object = {}): unknown {
  return { verdict: 'passed', status: 'passed', passed: true, score: 1, output, attempts: 1, ...more };
}

export function erroredWith(kind: string, more: object = {}): unknown {
  return {
    verdict: 'errored',
    status: 'errored',
    passed: false,
    score: null,
    output: null,
    attempts: 1,
    stage: 'target',
    kind,
    detail: '',
    ...more,
  };
}
