import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { isJson } from './is-json.ts';
import { findingOf, problemsOf, services, subjectOf } from './subject.fixture.ts';

const person = {
  type: 'object',
  required: ['name', 'age'],
  properties: {
    name: { type: 'string' },
    age: { type: 'integer', minimum: 0 },
    mail: { type: 'string', format: 'email' },
  },
};

describe('is_json', () => {
  test('without a schema any JSON passes, and nothing else', async () => {
    expect(await findingOf(isJson, {}, { answer: ' {"a":[1]} ' })).toEqual({
      score: 1,
      reason: 'the answer is JSON',
    });
    expect((await findingOf(isJson, {}, { answer: '{"a":1' })).score).toBe(0);
    expect(await findingOf(isJson, {}, { answer: '' })).toEqual({
      score: 0,
      reason: 'the answer is not JSON: it is empty',
    });
  });

  test('errors of the schema come as paths', async () => {
    const answer = '{"age":-1,"mail":"x"}';
    expect((await findingOf(isJson, { schema: person }, { answer })).reason).toBe(
      "the JSON does not match the schema: / must have required property 'name'; /age must be >= 0; " +
        '/mail must match format "email"',
    );
    expect((await findingOf(isJson, { schema: person }, { answer: '{"name":"a","age":3}' })).score).toBe(1);
    expect(
      await findingOf(isJson, { schema: { additionalProperties: false } }, { answer: '{"x":1}' }),
    ).toEqual({
      score: 0,
      reason: 'the JSON does not match the schema: / must NOT have additional properties: "x"',
    });
  });

  test.each([
    ['http://json-schema.org/draft-06/schema#', { items: [{ type: 'string' }] }],
    ['http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }],
    ['https://json-schema.org/draft/2019-09/schema', { items: [{ type: 'string' }] }],
    ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }] }],
    [undefined, { prefixItems: [{ type: 'string' }] }],
  ])('reads the dialect %s', async ($schema, rest) => {
    const schema = $schema === undefined ? rest : { $schema, ...rest };
    expect((await findingOf(isJson, { schema }, { answer: '["a"]' })).score).toBe(1);
    expect((await findingOf(isJson, { schema }, { answer: '[1]' })).reason).toBe(
      'the JSON does not match the schema: /0 must be string',
    );
  });

  test('a schema that cannot be used is an error, never a score', async () => {
    await expect(findingOf(isJson, { schema: { type: 'strng' } }, { answer: '1' })).rejects.toThrow(
      /^the JSON Schema of this grader cannot be used: .*correct it and grade again$/,
    );
    const old = { $schema: 'http://json-schema.org/draft-04/schema#' };
    await expect(findingOf(isJson, { schema: old }, { answer: '1' })).rejects.toThrow(
      /draft-04.*is not supported/,
    );
    await expect(findingOf(isJson, { schema: 'none.json' }, { answer: '1' })).rejects.toThrow(
      /none\.json cannot be used/,
    );
  });

  test('a schema file is read from the folder of the file that names it, and is part of the digest', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'is-json-'));
    try {
      await writeFile(join(directory, 'person.json'), JSON.stringify(person));
      const grader = isJson.create({ schema: './person.json' }, { ...services, directory });
      const subject = subjectOf({ answer: '{"name":"a","age":1}' });
      expect(await grader.grade(subject, new AbortController().signal)).toEqual([
        { score: 1, reason: 'the answer is JSON and matches the schema' },
      ]);
    } finally {
      await rm(directory, { recursive: true });
    }
    expect([isJson.files?.({ schema: './person.json' }), isJson.files?.({ schema: person })]).toEqual([
      ['./person.json'],
      [],
    ]);
  });

  test('fenced takes the JSON out of the one fenced block', async () => {
    const one = 'Here it is:\n```json\n{"a":1}\n```\nDone.';
    expect((await findingOf(isJson, { fenced: true }, { answer: one })).score).toBe(1);
    expect((await findingOf(isJson, { fenced: true }, { answer: '{"a":1}' })).score).toBe(1);
    expect((await findingOf(isJson, {}, { answer: one })).reason).toMatch(
      /`fenced: true` reads it from its code block$/,
    );
    expect(await findingOf(isJson, { fenced: true }, { answer: `${one}\n\`\`\`\n1\n\`\`\`` })).toEqual({
      score: 0,
      reason: 'expected one fenced block, found 2',
    });
  });

  test('each pattern of a schema is its own', async () => {
    const schema = { properties: { a: { pattern: '^x+$' }, b: { pattern: '^y+$' } } };
    expect((await findingOf(isJson, { schema }, { answer: '{"a":"x","b":"y"}' })).score).toBe(1);
    expect((await findingOf(isJson, { schema }, { answer: '{"a":"y","b":"y"}' })).reason).toBe(
      'the JSON does not match the schema: /a must match pattern "^x+$"',
    );
    expect((await findingOf(isJson, { schema: { enum: [1, 2] } }, { answer: '3' })).reason).toBe(
      'the JSON does not match the schema: / must be equal to one of the allowed values: [1,2]',
    );
  });

  test('a catastrophic pattern in a schema is an error and hangs nothing', async () => {
    const schema = { type: 'string', pattern: '^(a+)+$' };
    await expect(
      findingOf(isJson, { schema }, { answer: JSON.stringify(`${'a'.repeat(39)}!`) }),
    ).rejects.toThrow(/took more than/);
  });

  test('a schema of another type is refused', () => {
    expect(problemsOf(isJson, { schema: 3 })).toEqual(['schema: expected a JSON Schema or the path of one']);
  });
});
