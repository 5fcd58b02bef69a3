import { describe, expect, test } from 'vitest';

import { equals } from './equals.ts';
import { fieldAccuracy } from './field-accuracy.ts';
import { isJson } from './is-json.ts';
import { findingOf } from './subject.fixture.ts';

const lists = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe.each([5_000, 50_000])('an answer that is a text of JSON nested %i levels deep', (levels) => {
  test.each([{}, { ignore_case: true }, { ignore_whitespace: true }])(
    'does not equal a value, with the options %j',
    async (options) => {
      for (const [value, answer] of [
        [[1], lists(levels)],
        [{ a: { a: 1 } }, objects(levels)],
        [7, lists(levels)],
      ] as const) {
        const { score, reason } = await findingOf(equals, { value, ...options }, { answer });
        expect([score, reason]).toEqual([
          0,
          expect.stringMatching(/a value that is nested \d+ levels deep$/),
        ]);
      }
      const value = 'text';
      expect((await findingOf(equals, { value, ...options }, { answer: lists(levels) })).score).toBe(0);
    },
  );

  test('is JSON, but does not match a recursive schema', async () => {
    const answer = objects(levels);
    expect(await findingOf(isJson, {}, { answer })).toEqual({ score: 1, reason: 'the answer is JSON' });
    expect((await findingOf(isJson, { schema: { type: 'object' } }, { answer })).score).toBe(1);
    const schema = { type: 'object', properties: { a: { $ref: '#' } } };
    expect((await findingOf(isJson, { schema }, { answer })).score).toBe(0);
  });

  test('has none of the fields that are compared', async () => {
    const config = { fields: [{ path: 'a' }] };
    const { score } = await findingOf(fieldAccuracy, config, {
      answer: objects(levels),
      reference: { a: 1 },
    });
    expect(score).toBe(0);
  });
});
