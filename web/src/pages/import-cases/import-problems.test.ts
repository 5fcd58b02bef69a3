import { expect, test } from 'vitest';

import { RefusedError } from '../../../../src/api/client.ts';
import { problemsOf } from './import-problems.ts';

test('of many problems the first ones are shown, each with its place', () => {
  const problems = Array.from({ length: 5000 }, (_, at) => ({
    code: 'invalid-value',
    param: `items.${at}.name`,
    message: 'must not be blank',
    ...(at === 0 ? { hint: 'give it a name' } : {}),
  }));
  const error = new RefusedError(422, { code: 'x', message: 'm', param: null, problems, request_id: '' });
  const { total, texts } = problemsOf(error);
  expect([total, texts.length, ...texts.slice(0, 2)]).toEqual([
    5000,
    100,
    'items.0.name: must not be blank (give it a name)',
    'items.1.name: must not be blank',
  ]);
});

test('a refusal without a list is one problem', () => {
  const error = new RefusedError(413, { code: 'x', message: 'too large', param: null, request_id: '' });
  expect(problemsOf(error)).toEqual({ total: 1, texts: ['too large'] });
  expect(problemsOf(new Error('gone'))).toEqual({ total: 1, texts: ['The server did not answer: gone'] });
});
