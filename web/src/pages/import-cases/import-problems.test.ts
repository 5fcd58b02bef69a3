import { expect, test } from 'vitest';

import { RefusedError } from '../../../../src/api/client.ts';
import { problemsOf } from './import-problems.ts';

const refusal = (status: number, code: string, problems?: RefusedError['problem']['problems']) =>
  new RefusedError(status, {
    code,
    message: 'too large',
    param: null,
    ...(problems === undefined ? {} : { problems }),
    request_id: '',
  });

const wrongNames = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    code: 'invalid-value',
    param: `items.${at}.name`,
    message: 'must not be blank',
    ...(at === 0 ? { hint: 'give it a name' } : {}),
  }));

test('of many problems the first ones are shown, each with its place', () => {
  const { total, texts } = problemsOf(refusal(422, 'x', wrongNames(5000)));
  expect([total, texts.length, ...texts.slice(0, 2)]).toEqual([
    5000,
    100,
    'case 1, name: must not be blank (give it a name)',
    'case 2, name: must not be blank',
  ]);
});

test('problems that the server only counts are counted, and not shown as one', () => {
  const more = { code: 'more-problems', param: '', message: 'and 4900 more problems in this file' };
  const { total, texts } = problemsOf(refusal(422, 'x', [...wrongNames(100), more]));
  expect([total, texts.length, texts.at(-1)]).toEqual([5000, 100, 'case 100, name: must not be blank']);
});

test('a refusal without a list is one problem', () => {
  expect(problemsOf(refusal(413, 'x'))).toEqual({ total: 1, texts: ['too large'] });
});

test('problems of JSONL name the lines of the file', () => {
  const file = { type: 'application/jsonl', text: '{"name": ""}\n\n{"name": ""}\n' } as const;
  const { texts } = problemsOf(refusal(422, 'x', wrongNames(2)), file);
  expect(texts).toEqual([
    'line 1, name: must not be blank (give it a name)',
    'line 3, name: must not be blank',
  ]);
});
