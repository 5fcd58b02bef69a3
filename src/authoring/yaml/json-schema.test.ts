import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { suiteJsonSchema } from './json-schema.ts';
import { fakeGraders } from './project.fixture.ts';

const schema = suiteJsonSchema(fakeGraders);
const validate = new Ajv({ allowUnionTypes: true }).compile(schema);
const isValid = (text: string): boolean => validate(parse(text, { merge: true }));

const seeds = join(import.meta.dirname, 'fixtures/seed');

describe('the JSON Schema of eval files', () => {
  test.each(readdirSync(seeds).filter((name) => name.endsWith('.yaml')))('accepts %s', (name) => {
    expect([isValid(readFileSync(join(seeds, name), 'utf8')), validate.errors]).toEqual([true, null]);
  });

  test.each([
    'tests: ./cases.csv',
    'tests: [file://x/*.yaml, {id: a, input: {any: 1}, x-own: 1}]\nx-other: {a: 1}\nmetadata: {a: {B: 1}}',
    'tests: [{id: a, input: x, assert: [text, {type: contains, value: 1, required: 0.5, weight: 0, name: n, negate: true, threshold: 1}]}]',
    'tests: [{id: a, input: x, assert: [{type: latency, threshold: 5000}]}]',
    'tests: [{id: a, input: x, assert: [{type: composite, assert: [{type: contains, value: x, weight: 2}]}]}]',
    'tests: [{id: a, input: x, rubrics: [is kind]}]',
    'tests: [{id: a, input: [{role: user, content: [{type: file, value: x}]}], limits: {timeout_ms: null}}]',
  ])('accepts %s', (text) => {
    expect([isValid(text), validate.errors]).toEqual([true, null]);
  });

  test.each([
    'name: x',
    'tests: [{id: a, inputs: x}]',
    'tests: [{id: a, input: x, turns: []}]',
    'tests: [{id: a, input: x, metadata: text}]',
    'tests: [{id: a, input: {role: usr, content: x}}]',
    'tests: [{id: a, input: x, assert: [{type: contain, value: x}]}]',
    'tests: [{id: a, input: x, assert: [{type: contains, valu: x}]}]',
    'tests: [{id: a, input: x, assert: [{type: contains, value: x, threshold: 2}]}]',
    'tests: [{id: a, input: x, assert: [{type: contains, value: x, required: 0}]}]',
    'tests: [{id: a, input: x, workspace: {setup: {script: bun run x}}}]',
    'tests: []\ntagz: []',
    'tests: [{id: a, input: x, assert: [{type: composite, assert: [{type: contains, valu: x}]}]}]',
    'tests: [{id: a, input: x, assert: [{type: composite, assert: [{type: composite, assert: [{type: contain}]}]}]}]',
    'tests: [{id: a, input: x, rubrics: [5]}]',
  ])('refuses %s', (text) => {
    expect(isValid(text)).toBe(false);
  });

  test('describes keys and evaluators', () => {
    const text = JSON.stringify(schema);
    expect(text).toContain('"$schema":"http://json-schema.org/draft-07/schema#"');
    expect(text).toContain('Unique in the suite.');
    expect(text).toContain('Fake contains.');
  });
});
