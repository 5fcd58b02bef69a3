import { expect, test } from 'vitest';

import { CONFIGURED_JUDGE, judgeOf } from './asked-judge.ts';

test('a target comes before a model, and nothing leaves the judge to the config', () => {
  expect([
    judgeOf(CONFIGURED_JUDGE),
    judgeOf({ target: '', model: ' p/m ', passScore: '60' }),
    judgeOf({ target: 'desk', model: 'p/m', passScore: '' }),
  ]).toEqual([undefined, { model: 'p/m', pass_threshold: 60 }, { target: 'desk' }]);
});
