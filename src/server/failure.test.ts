import { expect, test } from 'vitest';

import type { Problem } from '../api/resources/problem.ts';
import { AssayError } from '../core/errors.ts';
import { failureResponse } from './failure.ts';

test('an answer quotes neither the database nor its address; the output of the server does', async () => {
  const faults: unknown[] = [];
  const sql =
    'cannot write to postgresql://db/shop: new row for relation "run" violates check constraint "tags"';
  const error = new AssayError('results-not-written', sql, { stage: 'log', hint: 'use assay resume' });
  const answer = failureResponse(error, (fault) => faults.push(fault));
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
