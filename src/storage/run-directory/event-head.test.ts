import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { trialEventHead } from './event-head.ts';

const headOf = (line: string) => trialEventHead(Buffer.from(line));
const event = { sequence: 12, at: '2026-01-01T00:00:00.000Z', trial: 's/a/t/r1', fact: { type: 'grade' } };

test('tells sequence, trial and type of any trial, wherever its line stands', () => {
  fc.assert(
    fc.property(
      fc.record({
        sequence: fc.nat(),
        trial: fc.string({ unit: 'binary' }),
        attempt: fc.option(fc.nat(), { nil: undefined }),
        type: fc.constantFrom('trial-start', 'trial-end', 'note'),
        before: fc.string(),
      }),
      ({ sequence, trial, attempt, type, before }) => {
        const line = Buffer.from(JSON.stringify({ sequence, at: event.at, trial, attempt, fact: { type } }));
        const start = Buffer.byteLength(before);
        const bytes = Buffer.concat([Buffer.from(before), line, Buffer.from('\n{')]);
        expect(trialEventHead(bytes, start, start + line.length)).toEqual({ sequence, trial, type });
      },
    ),
  );
});

test('a line that is torn, written otherwise or of no trial has no such head', () => {
  const whole = JSON.stringify(event);
  const { trial: _, ...ofRun } = event;
  for (let end = 0; end < whole.indexOf('grade"') + 6; end += 1)
    expect(headOf(whole.slice(0, end))).toBeUndefined();
  expect(headOf(JSON.stringify(ofRun))).toBeUndefined();
  expect(headOf(JSON.stringify({ trial: 'x', ...ofRun }))).toBeUndefined();
  expect(headOf('no JSON')).toBeUndefined();
});

test('a line ends at the given end', () => {
  const bytes = Buffer.from(JSON.stringify(event));
  expect(trialEventHead(bytes, 0, 40)).toBeUndefined();
});
