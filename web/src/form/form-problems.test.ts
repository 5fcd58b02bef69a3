import { expect, test } from 'vitest';

import { RefusedError } from '../../../src/api/client.ts';
import type { FormField } from './form-field.ts';
import { jsonProblems, refusedFields } from './form-problems.ts';

const FIELDS: readonly FormField[] = [
  { name: 'name', title: 'Name', kind: 'line' },
  { name: 'config.system', title: 'Prompt', kind: 'text' },
  { name: 'config', title: 'Config', kind: 'json' },
];

const refused = (problem: Partial<RefusedError['problem']>) =>
  new RefusedError(422, { code: 'x', message: 'wrong', param: null, request_id: '', ...problem });

test('problems stand at the field with the longest matching name, in the order of the form', () => {
  const problems = [
    { code: 'a', param: 'config.model', message: 'unknown provider', hint: 'use another' },
    { code: 'b', param: 'config.system', message: 'is a file' },
    { code: 'c', param: '0.tool', message: 'missing' },
    { code: 'd', param: 'name', message: 'blank' },
  ];
  expect(refusedFields(FIELDS, refused({ problems }))).toEqual([
    { field: 'name', text: 'blank' },
    { field: 'config.system', text: 'is a file' },
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
