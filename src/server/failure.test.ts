import { expect, test } from 'vitest';

import type { Problem } from '../api/resources/problem.ts';
import { AssayError } from '../core/errors.ts';
import { AuthoringError } from '../core/problem.ts';
import { failureResponse } from './failure.ts';

test('an answer quotes neither the database nor its address; the output of the server does', async () => {
  const faults: unknown[] = [];
  const sql =
    'cannot write to postgresql://db/shop: new row for relation "run" violates check constraint "tags"';
  const error = new AssayError('results-not-written', sql, { stage: 'log', hint: 'use assay resume' });
  const onFault = (fault: unknown) => void faults.push(fault);
  const answer = failureResponse(error, { onFault, asked: new Headers() });
  const { error: told } = (await answer.json()) as Problem;
  expect([answer.status, { ...told, request_id: '' }]).toEqual([
    503,
    {
      code: 'results-not-written',
      message: 'the store could not save the data of this request',
      param: null,
      hint: 'send the request again later; the output of the server says more',
      request_id: '',
    },
  ]);
  expect(faults).toEqual([error]);
});

test.each([
  ['the API', {}, 'add `judge` to the config, or use `judge`'],
  ['the command line', { 'assay-words': 'command' }, 'add `judge` to the config, or use --judge'],
])('an error is said in the words of %s', async (_, headers, hint) => {
  const written = 'add `judge` to the config, or use --judge';
  const error = new AuthoringError([
    { file: 'a', code: 'no-judge', message: 'no judge', hint: written },
    { file: 'b', code: 'no-judge', message: 'no judge either', hint: written },
  ]);
  const answer = failureResponse(error, { onFault: () => undefined, asked: new Headers(headers) });
  const { error: told } = (await answer.json()) as Problem;
  expect([told.hint, ...(told.problems ?? []).map((each) => each.hint)]).toEqual([hint, hint, hint]);
});
