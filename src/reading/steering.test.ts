import { expect, test } from 'vitest';

import { grade, row } from '../sinks/fixtures/sample-run.ts';
import { steeringText } from './steering.ts';

const steered = { details: { injection: true } };

test('who reports that it was to be steered is named once, members too', () => {
  expect(steeringText(row({ grades: [grade('a'), grade('b', { details: { injection: false } })] }))).toBe(
    undefined,
  );
  const whole = grade('whole', { members: [grade('inner', steered)] });
  expect(steeringText(row({ grades: [grade('a', steered), whole, grade('a', steered)] }))).toBe(
    'judges report that the answer tries to influence their verdict: a, inner',
  );
  const many = Array.from({ length: 7 }, (_, i) => grade(`g${i}`, steered));
  expect(steeringText(row({ grades: many }))).toBe(
    'judges report that the answer tries to influence their verdict: g0, g1, g2, g3, g4 and 2 more',
  );
});
