import { Ajv } from 'ajv';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { checkStoredCase } from './check.ts';
import { storedCaseJsonSchema } from './schema.ts';

const validate = new Ajv({ strict: false, validateFormats: false }).compile(storedCaseJsonSchema());

const odd = fc.constantFrom<unknown>(null, '', ' ', 'a', 0, 1, -1, 5.5, '5', true, [], {}, [' '], ['a', 'a']);
/** Right for the most part, so that whole cases are accepted too. */
const mostly = (right: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 30, arbitrary: right }, { weight: 1, arbitrary: odd });
const nullable = (right: fc.Arbitrary<unknown>) => mostly(fc.option(right));

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', ' ', '\ufeff', '\u0085', '\u0000'),
);
const word = fc.oneof({ weight: 9, arbitrary: fc.string({ minLength: 1, maxLength: 300 }) }, text);
const object = fc.oneof(fc.dictionary(text, fc.jsonValue()), fc.constant({}));
const persona = { type: text, description: text, instructions: text };
const call = { tool: mostly(word), expected_params: nullable(object) };

/** Cases as people would write them, now and then with a key that is wrong. */
const almostACase = fc.record(
  {
    name: mostly(word),
    description: nullable(text),
    difficulty: mostly(fc.constantFrom('normal', 'hard')),
    tags: mostly(fc.array(word)),
    status: mostly(fc.constantFrom('draft', 'active', 'archived')),
    persona: nullable(fc.record(persona)),
    initial_message: nullable(text),
    user_context: nullable(object),
    max_turns: nullable(fc.oneof(fc.integer({ min: 1 }), fc.constantFrom(3.0, 1e9, 1e10))),
    expected_outcomes: nullable(object),
    expected_tool_calls: nullable(fc.array(fc.record(call, { requiredKeys: ['tool'] }))),
    evaluation_criteria_override: nullable(text),
    schema_version: mostly(fc.constant('1.0.0')),
    id: mostly(fc.uuid()),
    created_at: mostly(fc.string()),
  },
  { requiredKeys: ['name'] },
);

test('the published JSON Schema accepts everything that the validator accepts', () => {
  let accepted = 0;
  fc.assert(
    fc.property(almostACase, (value) => {
      if (checkStoredCase(value).faults !== undefined) return;
      accepted += 1;
      expect([validate(value), validate.errors]).toEqual([true, null]);
    }),
    { numRuns: 2000 },
  );
  expect(accepted).toBeGreaterThan(200);
});

test('a case that was checked is accepted again, and stays as it is', () => {
  fc.assert(
    fc.property(almostACase, (value) => {
      const stored = checkStoredCase(value).value?.case;
      if (stored === undefined) return;
      expect(checkStoredCase(stored).value?.case).toEqual(stored);
    }),
    { numRuns: 2000 },
  );
});
