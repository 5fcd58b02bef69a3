import { expect, test } from 'vitest';

import type { Grade } from '../../../../src/core/grade.ts';
import { byDeciding } from './by-deciding.ts';

test('grades without weight that are not required decide nothing', () => {
  const grade = (name: string, of: Partial<Grade>) => ({ name, score: 1, weight: 0, ...of }) as Grade;
  const weighed = grade('weighed', { weight: 1 });
  const gate = grade('gate', { required: 0.5 });
  const undecided = grade('undecided', { score: null });
  const shown = grade('shown', {});
  expect(byDeciding([weighed, shown, gate, undecided])).toEqual({
    deciding: [weighed, gate, undecided],
    others: [shown],
  });
  expect(byDeciding([shown])).toEqual({ deciding: [shown], others: [] });
});
