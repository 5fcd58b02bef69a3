import { expect, test } from 'vitest';

import { invalidSentence } from '../../../../src/core/invalid-sentence.ts';
import type { InvalidReason } from '../../../../src/core/run-comparison.ts';
import { reasonWords, sentenceWords } from './sentence-words.ts';

const ACROSS = 'allow it with --across case';
const differ = (id: string, suite = 'stored'): InvalidReason => ({
  code: 'digests',
  message: `1 of 1 cases are not the same on both sides, such as ${id} of ${suite}`,
  hint: ACROSS,
});
const said = (reasons: readonly InvalidReason[], caseNames = {}, more = '') =>
  sentenceWords({ sentence: `${invalidSentence(reasons)}${more}`, reasons, caseNames });

test('the sentence names cases by their names, and the controls of the page instead of flags', () => {
  expect([
    said([differ('c4ae')], { c4ae: 'Refund of a lamp' }),
    said([{ code: 'unfinished', message: 'r1 has not ended', hint: 'finish it with assay resume' }]),
    sentenceWords({ sentence: 'improved: 6 of 6 cases got better, none worse, p = 0.03', reasons: [] }),
  ]).toEqual([
    'invalid: 1 of 1 cases are not the same on both sides, such as “Refund of a lamp” (tick “changed cases” above)',
    'invalid: r1 has not ended (finish it)',
    'improved: 6 of 6 cases got better, none worse, p = 0.03',
  ]);
});

test('each hint of two sides that cannot be compared is said without flags and commands', () => {
  const message = 'm';
  expect(
    (
      [
        'finish it with assay resume',
        'run them again with assay resume --retry errored, or allow more with --max-errored',
        'compare two complete runs, or allow it with --across selection',
        'allow it with --across case',
        'grade the older run again with assay grade, or allow it with --across grader',
        'run both with the same threshold, or allow it with --across grader',
      ] as const
    ).map((hint) => reasonWords({ code: 'errored', message, hint }, {}).hint),
  ).toEqual([
    'finish it',
    'run them again',
    'compare two complete runs, or tick “another selection of cases” above',
    'tick “changed cases” above',
    'grade the older run again, or tick “changed graders” above',
    'run both with the same threshold, or tick “changed graders” above',
  ]);
});

test('names of runs, targets, cases and graders stay as users gave them', () => {
  const target = 'r1#refund or --keep it with assay grade, or allow it with --across case';
  const graders = '; differences in its graders: yes or --no; c4 of stored differs';
  expect([
    said([differ('c4')], { c4: 'Costs $$5 for $& all, not a1 of stored', a1: 'Lamp' }),
    said([differ('refund or --keep it', 'a.eval.yaml')], { it: 'Lamp' }, graders),
    said([
      {
        code: 'selection',
        message: `${target} only contains cases that failed or errored in r (--failed) (--failed), so even an unchanged agent looks different`,
        hint: 'compare two complete runs, or allow it with --across selection',
      },
    ]),
  ]).toEqual([
    'invalid: 1 of 1 cases are not the same on both sides, such as “Costs $$5 for $& all, not a1 of stored” (tick “changed cases” above)',
    `invalid: 1 of 1 cases are not the same on both sides, such as refund or --keep it of a.eval.yaml (tick “changed cases” above)${graders}`,
    `invalid: ${target} only contains cases that failed or errored in r (--failed), so even an unchanged agent looks different (compare two complete runs, or tick “another selection of cases” above)`,
  ]);
});

test('a sentence without reasons stays as it is, whatever its targets are called', () => {
  const sentence = 'invalid: of 2 targets, invalid m or --n, c4 of stored';
  expect(sentenceWords({ sentence, reasons: [differ('c4'), differ('c4')], caseNames: { c4: 'Lamp' } })).toBe(
    sentence,
  );
});
