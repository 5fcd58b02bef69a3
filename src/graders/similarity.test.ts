import { describe, expect, test } from 'vitest';

import { similarity } from './similarity.ts';
import { findingOf } from './subject.fixture.ts';

describe('similarity', () => {
  test.each([
    ['levenshtein', 'kitten', 'sitting', 1 - 3 / 7],
    ['levenshtein', '', '', 1],
    ['levenshtein', '', 'abc', 0],
    ['levenshtein', 'e\u0301te\u0301', '\u00e9t\u00e9', 1],
    ['jaccard', 'the cat sat', 'the dog sat', 2 / 4],
    ['jaccard', 'The Cat, the cat!', 'cat the', 1],
    ['jaccard', '', '', 1],
    ['jaccard', 'a', '', 0],
    ['rouge_l', 'the cat sat on the mat', 'the cat on mat', (2 * 4) / (6 + 4)],
    ['rouge_l', 'b a', 'a b', 0.5],
    ['rouge_l', 'x', 'y', 0],
    ['rouge_l', '', '', 1],
    ['jaccard', '', '\u{1f44d}', 0],
    ['rouge_l', '!!!', '\u{1f44d}', 0],
    ['jaccard', ' \u{1f44d}', '\u{1f44d}', 1],
  ])('%s of %j and %j is %d', async (metric, answer, reference, score) => {
    expect((await findingOf(similarity, { metric }, { answer, reference })).score).toBeCloseTo(score, 9);
  });

  test('prefers its value to the reference, and the reason names it', async () => {
    const finding = await findingOf(
      similarity,
      { metric: 'jaccard', value: 'a b' },
      { answer: 'a c', reference: 'a c' },
    );
    expect(finding).toEqual({
      score: 0.333333333,
      reason: 'jaccard similarity to "a b" is 0.333; the answer is "a c"',
    });
  });

  test.each([
    ['levenshtein', 'x'.repeat(20_001), /20001 characters, at most 20000/],
    ['rouge_l', 'x '.repeat(5_001), /5001 words, at most 5000/],
  ])('%s refuses texts that would take too long', async (metric, answer, message) => {
    await expect(findingOf(similarity, { metric, value: 'x' }, { answer })).rejects.toThrow(message);
  });

  test('without value and reference it cannot be decided', async () => {
    await expect(findingOf(similarity, { metric: 'jaccard' }, { answer: 'x' })).rejects.toThrow(
      /no reference/,
    );
  });
});
