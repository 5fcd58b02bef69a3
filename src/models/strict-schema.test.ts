import { expect, test } from 'vitest';

import { isStrictSchema } from './strict-schema.ts';

const closed = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

test.each([
  [true, closed({ a: { type: 'string' } })],
  [true, closed({ list: { type: 'array', items: closed({ b: { type: 'number' } }) } })],
  [true, { ...closed({ a: { $ref: '#/$defs/b' } }), $defs: { b: closed({}) } }],
  [true, closed({ type: { type: 'string' } })],
  [false, closed({ a: {}, b: {} }, ['a'])],
  [false, { type: 'object', properties: {}, required: [] }],
  [false, { type: 'object' }],
  [false, closed({ list: { type: 'array', items: { type: 'object' } } })],
  [false, closed({ either: { anyOf: [{ type: 'null' }, { type: 'object' }] } })],
  [false, { ...closed({}), $defs: { b: { type: 'object' } } }],
])('%s: %j', (strict, schema) => {
  expect(isStrictSchema(schema)).toBe(strict);
});
