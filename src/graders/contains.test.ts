import { describe, expect, test } from 'vitest';

import { contains, containsAll, containsAny } from './contains.ts';
import { endsWith, startsWith } from './starts-with.ts';
import { findingOf, problemsOf } from './subject.fixture.ts';

describe('contains', () => {
  test('passes with a short reason and fails with the actual answer', async () => {
    const config = { value: 'DENIED' };
    expect(await findingOf(contains, config, { answer: 'Result: DENIED.' })).toEqual({
      score: 1,
      reason: 'the answer contains "DENIED"',
    });
    expect(await findingOf(contains, config, { answer: 'denied' })).toEqual({
      score: 0,
      reason: 'expected the answer to contain "DENIED"; the answer is "denied"',
    });
    expect(await findingOf(contains, config, { answer: '' })).toEqual({
      score: 0,
      reason: 'expected the answer to contain "DENIED"; the answer is empty',
    });
  });

  test.each([
    ['denied', 'DENIED', 1],
    ['STRASSE', 'straße', 1],
    ['ΟΔΟΣ', 'οδος', 1],
    ['other', 'DENIED', 0],
  ])('finds in %j, case ignored, %j: %d', async (answer, value, score) => {
    expect((await findingOf(contains, { value, ignore_case: true }, { answer })).score).toBe(score);
  });

  test('takes a number as it is written', async () => {
    expect((await findingOf(contains, { value: 42 }, { answer: 'it is 42' })).score).toBe(1);
  });

  test('is named after the first 30 characters of its value, no character torn', () => {
    expect(contains.nameOf?.({ value: 'DENIED' })).toBe('contains-DENIED');
    expect(contains.nameOf?.({ value: 'x'.repeat(29) + '😀y' })).toBe(`contains-${'x'.repeat(29)}😀`);
  });

  test('keeps its grade small when the answer is long', async () => {
    const { reason } = await findingOf(contains, { value: 'y' }, { answer: 'x'.repeat(100_000) });
    expect(reason.length).toBeLessThan(300);
  });

  test('refuses a value by which every answer would pass, other types and unknown keys', () => {
    expect(problemsOf(contains, { value: '' })).toEqual([
      'value: must not be empty: every answer would pass',
    ]);
    expect(problemsOf(contains, { value: true })).toEqual(['value: expected a text or a number']);
    expect(problemsOf(contains, { value: 'a', ignorecase: true })).toEqual([
      ': Unrecognized key: "ignorecase"',
    ]);
  });
});

describe('contains_all and contains_any', () => {
  const config = { values: ['red', 'green', 3] };

  test('contains_all names the missing texts', async () => {
    expect(await findingOf(containsAll, config, { answer: 'red green 3' })).toEqual({
      score: 1,
      reason: 'the answer contains all 3 texts',
    });
    expect(await findingOf(containsAll, config, { answer: 'green' })).toEqual({
      score: 0,
      reason: '2 of 3 texts are not in the answer: "red", "3"; the answer is "green"',
    });
  });

  test('contains_any names the found text, or all texts it searched', async () => {
    expect(await findingOf(containsAny, config, { answer: 'only green' })).toEqual({
      score: 1,
      reason: 'the answer contains "green"',
    });
    expect(await findingOf(containsAny, config, { answer: 'blue' })).toEqual({
      score: 0,
      reason: 'expected the answer to contain one of "red", "green", "3"; the answer is "blue"',
    });
    expect(
      (await findingOf(containsAny, { values: ['RED'], ignore_case: true }, { answer: 'red' })).score,
    ).toBe(1);
  });

  test('an empty list is refused', () => {
    expect(problemsOf(containsAll, { values: [] })).toEqual(['values: must have at least one text']);
  });
});

describe('starts_with and ends_with', () => {
  test.each([
    [startsWith, { value: 'Yes' }, '  Yes, of course', 1],
    [startsWith, { value: 'Yes' }, 'yes', 0],
    [startsWith, { value: 'Yes', ignore_case: true }, 'YES!', 1],
    [endsWith, { value: 'done.' }, 'all done.\n', 1],
    [endsWith, { value: 'done.' }, 'done. Not', 0],
    [endsWith, { value: 'DONE', ignore_case: true }, 'is done', 1],
  ])('%o with %j', async (plugin, config, answer, score) => {
    expect((await findingOf(plugin, config, { answer })).score).toBe(score);
  });

  test.each([startsWith, endsWith])(
    '$type is refused a text of white space, which every answer would have',
    (plugin) => {
      expect(problemsOf(plugin, { value: ' \n' })).toEqual([
        'value: must not be blank: every answer would pass, because white space around it is ignored',
      ]);
    },
  );

  test('show the end that was looked at', async () => {
    const answer = `start ${'x'.repeat(200)} end`;
    expect((await findingOf(endsWith, { value: 'fin' }, { answer })).reason).toBe(
      `expected the answer to end with "fin"; it ends "...${answer.slice(-120)}"`,
    );
    expect((await findingOf(startsWith, { value: 'fin' }, { answer: 'no' })).reason).toBe(
      'expected the answer to start with "fin"; it starts "no"',
    );
  });
});
