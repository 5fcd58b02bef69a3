import { expect, test } from 'vitest';

import { RefusedError } from '../../../src/api/client.ts';
import type { FormField } from './form-field.ts';
import { jsonProblems, notSaved, refusedFields } from './form-problems.ts';

const FIELDS: readonly FormField[] = [
  { name: 'name', title: 'Name', kind: 'line' },
  { name: 'config.system', also: ['config.prompt'], title: 'Prompt', kind: 'text' },
  { name: 'config', title: 'Config', kind: 'json' },
];

const refused = (problem: Partial<RefusedError['problem']>) =>
  new RefusedError(422, { code: 'x', message: 'wrong', param: null, request_id: '', ...problem });

test('problems stand at the field with the longest matching name, in the order of the form', () => {
  const problems = [
    { code: 'a', param: 'config.model', message: 'unknown provider', hint: 'use another' },
    { code: 'b', param: 'config.system', message: 'is a file' },
    { code: 'b', param: 'config.prompt', message: 'is empty' },
    { code: 'c', param: '0.tool', message: 'missing' },
    { code: 'd', param: 'name', message: 'blank' },
  ];
  expect(refusedFields(FIELDS, refused({ problems }))).toEqual([
    { field: 'name', text: 'blank' },
    { field: 'config.system', text: 'is a file' },
    { field: 'config.system', text: 'is empty' },
    { field: 'config', text: 'model: unknown provider (use another)' },
    { field: 'config', text: '0.tool: missing' },
  ]);
});

test('a refusal that names one parameter is a problem of its field, and others are of no field', () => {
  expect(refusedFields(FIELDS, refused({ param: 'name', message: 'taken' }))).toEqual([
    { field: 'name', text: 'taken' },
  ]);
  expect(refusedFields(FIELDS, refused({}))).toEqual([]);
});

test('a text that is not JSON is told with its place, and an empty one is left to the server', () => {
  const texts = { name: '{', 'config.system': '{', config: '{"a": x}' };
  expect(jsonProblems(FIELDS, texts)).toEqual([
    { field: 'config', text: 'line 1, column 7: this is not JSON, expected a value', at: 6 },
  ]);
  expect(jsonProblems(FIELDS, { ...texts, config: ' ' })).toEqual([]);
});

test('a refusal of the whole says its hint, and another error its message', () => {
  const taken = refused({ message: 'another agent has the name "desk"', hint: 'choose another name' });
  expect(notSaved(FIELDS, taken)).toEqual({
    refused: 'another agent has the name "desk" (choose another name)',
  });
  expect(notSaved(FIELDS, refused({ param: 'name', message: 'blank' }))).toEqual({
    problems: [{ field: 'name', text: 'blank' }],
  });
  expect(notSaved(FIELDS, new Error('no version was added'))).toEqual({ refused: 'no version was added' });
});
