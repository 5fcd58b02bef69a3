import { errorRecord } from '../../core/errors.ts';
import type { RunEvent } from '../../core/run.ts';

/** What is written in the place of an event that cannot be made into JSON: an errored row, or a note of what is missing. */
export function standIn(event: RunEvent, thrown: unknown): RunEvent {
  const { fact } = event;
  const error = errorRecord(thrown, { stage: 'log', kind: 'contract' });
  const message = `a ${fact.type} could not be written as JSON: ${error.message}`;
  if (fact.type !== 'trial-end') return { ...event, fact: { type: 'note', text: message } };
  const { overall: _1, ungraded: _2, failureClass: _3, notes: _4, flags: _5, end: _6, ...row } = fact.row;
  return {
    ...event,
    fact: {
      type: 'trial-end',
      row: {
        ...row,
        attempts: row.attempts.map(({ durationMs }) => ({ durationMs })),
        verdict: 'errored',
        status: 'errored',
        passed: false,
        score: null,
        fallenGates: [],
        grades: [],
        output: null,
        error: { ...error, message },
      },
    },
  };
}
