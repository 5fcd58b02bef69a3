import { expect, test } from 'vitest';

import { RefusedError } from '../../../src/api/client.ts';
import { isUnknownOutcome } from './unknown-outcome.ts';

const refusal = (status: number, code = 'x') =>
  new RefusedError(status, { code, message: '', param: null, request_id: '' });

test('whether something was done is known only from an answer about it', () => {
  const errors = [
    new Error('gone'),
    refusal(503),
    refusal(409, 'idempotency-running'),
    refusal(409),
    refusal(422),
  ];
  expect(errors.map(isUnknownOutcome)).toEqual([true, true, true, false, false]);
});
