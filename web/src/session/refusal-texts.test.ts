import { expect, test } from 'vitest';

import { RefusedError } from '../../../src/api/client.ts';
import { refusalTexts } from './refusal-texts.ts';

const refused = (problem: object) =>
  new RefusedError(409, {
    code: 'run-in-use',
    message: 'the run is in use by process 7',
    param: null,
    request_id: 'r',
    ...problem,
  });

test('a refusal is told in the words of the server, with what to do', () => {
  expect(refusalTexts(refused({}))).toEqual(['the run is in use by process 7']);
  expect(refusalTexts(refused({ hint: 'end it first' }))).toEqual([
    'the run is in use by process 7 (end it first)',
  ]);
});

test('a hint that names a route of the API is not told to people', () => {
  const hint = 'add "status": "any" in `select`; `GET /api/v1/test-cases?status=any` lists them';
  expect(refusalTexts(refused({ message: 'no case is selected', hint }))).toEqual(['no case is selected']);
});

test('of several problems each one is told', () => {
  const problems = [
    { code: 'a', param: 'x', message: 'x is wrong', hint: 'write y' },
    { code: 'b', param: 'z', message: 'z is missing' },
  ];
  expect(refusalTexts(refused({ problems }))).toEqual(['x is wrong (write y)', 'z is missing']);
});

test('a lost connection is told as one', () => {
  expect(refusalTexts(new TypeError('Failed to fetch'))).toEqual([
    'the server did not answer: Failed to fetch',
  ]);
});

test('of a change by somebody else it is said what to do', () => {
  const error = new RefusedError(412, {
    code: 'changed',
    message: 'the case was changed at 12:00',
    param: null,
    request_id: 'r',
  });
  expect(refusalTexts(error)).toEqual([
    'somebody else saved a change meanwhile. Reload the page, and try again.',
  ]);
});
