import { expect, test } from 'vitest';

import { RefusedError } from '../../../../src/api/client.ts';
import { modelProblems } from './model-problems.ts';

const refused = (...problems: readonly { code: string; param: string; message: string }[]) =>
  new RefusedError(422, { code: 'invalid', message: 'no', param: null, problems, request_id: '1' });
const MODELS = { isWithoutModels: false, judge: { target: '' } };
const NO_USER = { code: 'no-user', param: 'user', message: 'the case "a" needs a user' };
const NO_JUDGE = { code: 'no-judge', param: 'judge', message: 'the test "a" needs a judge' };

test('a missing simulated user and a missing judge are told at their fields', () => {
  expect(
    modelProblems(refused(NO_USER, { ...NO_USER, message: 'the case "b" too' }, NO_JUDGE), MODELS),
  ).toEqual({
    user: 'A language model must play the user.',
    judge: 'A language model must judge the answers.',
    isAll: true,
    isMissing: true,
  });
});

test('without models, what is missing is told at the text', () => {
  const asked = { ...MODELS, isWithoutModels: true };
  const nothing = { code: 'nothing-to-grade', param: 'select', message: 'nothing would be graded in "a"' };
  expect(modelProblems(refused(nothing), asked)).toEqual({
    text: 'Write a text that the answer must contain.',
    isAll: true,
    isMissing: true,
  });
  expect(modelProblems(refused(NO_JUDGE), asked)).toEqual({
    text: 'Own criteria of a selected case need a language model as judge. Choose models, or leave that case out.',
    isAll: true,
    isMissing: true,
  });
  expect(modelProblems(refused(NO_USER), asked)).toBeUndefined();
});

test('a wrong name is told at its field, and that other things are wrong too', () => {
  const wrong = {
    code: 'invalid-value',
    param: 'user.model',
    message: 'user.model: write it as provider/name',
  };
  const other = { code: 'invalid-value', param: 'repetitions', message: 'too small' };
  expect(modelProblems(refused(wrong, other), MODELS)).toEqual({
    user: 'write it as provider/name',
    isAll: false,
    isMissing: false,
  });
});

test('other refusals, and a judge without a field for its model, belong to no field', () => {
  expect(modelProblems(refused(NO_JUDGE), { ...MODELS, judge: { target: 'desk' } })).toBeUndefined();
  expect(modelProblems(refused(), MODELS)).toBeUndefined();
  expect(modelProblems(new Error('lost'), MODELS)).toBeUndefined();
});
