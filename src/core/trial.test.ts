import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseTrialKey, trialKey, type TrialId } from './trial.ts';

/** Any UTF-16, lone surrogates too: ids are data. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('%', '/', '2', '5', 'F', 'u', '\ud800', '\udc00', '\ufffd', '\u007f', '\n', 'é'),
  }),
);
const anyId: fc.Arbitrary<TrialId> = fc.record({
  suite: anyText,
  caseId: anyText,
  target: anyText,
  repetition: fc.integer({ min: 1, max: 1_000_000 }),
});

describe('trialKey', () => {
  test.each<[Partial<TrialId>, string]>([
    [{}, 's/c/t/r1'],
    [{ repetition: 12 }, 's/c/t/r12'],
    [{ suite: 'evals/a.eval.yaml' }, 'evals%2Fa.eval.yaml/c/t/r1'],
    [{ caseId: '100%' }, 's/100%25/t/r1'],
    [{ caseId: '../../x' }, 's/..%2F..%2Fx/t/r1'],
    [{ caseId: 'a\tb\nc\u007f' }, 's/a%09b%0Ac%7F/t/r1'],
    [{ caseId: 'naïve 😀' }, 's/na%C3%AFve %F0%9F%98%80/t/r1'],
    [{ caseId: '\u0085' }, 's/%C2%85/t/r1'],
    [{ caseId: '' }, 's//t/r1'],
  ])('of %j is %s', (part, key) => {
    const id = { suite: 's', caseId: 'c', target: 't', repetition: 1, ...part };
    expect(trialKey(id)).toBe(key);
    expect(parseTrialKey(key)).toEqual(id);
  });

  test('is printable ASCII, has four parts and parses back to the same identity', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        const key = trialKey(id);
        expect(key).toMatch(/^[\u0020-\u007e]*$/);
        expect(key.split('/')).toHaveLength(4);
        expect(parseTrialKey(key)).toEqual(id);
      }),
      { numRuns: 500 },
    );
  });

  test('is equal only for equal identities', () => {
    fc.assert(
      fc.property(anyId, anyId, (left, right) => {
        const same = JSON.stringify(Object.values(left)) === JSON.stringify(Object.values(right));
        expect(trialKey(left) === trialKey(right)).toBe(same);
      }),
    );
    const keys = ['\ud800', '\udc00', '\ufffd', '%uD800', '%ud800'].map((caseId) =>
      trialKey({ suite: 's', caseId, target: 't', repetition: 1 }),
    );
    expect(new Set(keys).size).toBe(5);
  });
});

describe('parseTrialKey', () => {
  test.each([
    '',
    'a/b/c',
    'a/b/c/d',
    'a/b/c/r0',
    'a/b/c/r01',
    'a/b/c/r-1',
    'a/b/c/r1/e',
    'a/%zz/c/r1',
    'a/%E9/c/r1',
  ])('refuses %j as a key', (text) => {
    expect(parseTrialKey(text)).toBe(undefined);
  });
});
