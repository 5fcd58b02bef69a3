import * as z from 'zod';
import { expect, test } from 'vitest';

import { graders } from './index.ts';

test('every type is there once, in snake_case, in the order of the alphabet', () => {
  const types = graders.map(({ type }) => type);
  expect(types).toEqual([...new Set(types)].toSorted());
  expect(types.filter((type) => !/^[a-z]+(_[a-z]+)*$/.test(type))).toEqual([]);
});

test('every configuration can be described to an editor, key by key', () => {
  const bare = graders.flatMap(({ type, config }) => {
    const schema = z.toJSONSchema(config, { io: 'input', unrepresentable: 'any', target: 'draft-7' });
    const keys = Object.entries(schema.properties ?? {});
    return keys
      .filter(([, value]) => JSON.stringify(value).includes('"description"') === false)
      .map(([key]) => `${type}.${key}`);
  });
  expect(bare).toEqual([]);
});

test('every grader has a summary of one line', () => {
  expect(
    graders.filter(({ summary }) => !/^[A-Z].{10,100}\.$/.test(summary)).map(({ type }) => type),
  ).toEqual([]);
});
