import { expect, test } from 'vitest';

import type { TrialResource } from '../../../../src/api/resources/trial.ts';
import { reasonOf } from './reason-of.ts';

const trial = (reason: string | null, more: object = {}) =>
  ({ reason, kind: null, verdict: 'failed', ...more }) as unknown as TrialResource;

test('a reason names an expected outcome as it was written', () => {
  expect(reasonOf(trial('required judge/outcome/It was sent.: does not hold: no'))).toBe(
    'required: “It was sent.” does not hold: no',
  );
  expect(reasonOf(trial('judge/outcome/It was sent: does not hold'))).toBe('“It was sent” does not hold');
  expect(reasonOf(trial('judge/outcome/sent: expected false, which holds: yes'))).toBe(
    'sent: expected false, which holds: yes',
  );
  expect(reasonOf(trial('contains: the answer does not contain "x"'))).toBe(
    'contains: the answer does not contain "x"',
  );
  expect(reasonOf(trial(null, { verdict: 'skipped', kind: 'draft' }))).toBe('draft');
});
