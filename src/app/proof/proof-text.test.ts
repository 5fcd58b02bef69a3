import { expect, test } from 'vitest';

import { EXIT } from '../exit-code.ts';
import type { ProofReport } from './proof-report.ts';
import { proofText } from './proof-text.ts';

const blind: ProofReport = {
  cases: 1,
  graders: [
    {
      name: 'kind',
      type: 'llm_judge',
      oracle: { hits: 1, of: 1 },
      nop: { hits: 0, of: 1 },
      mutants: { hits: 0, of: 3 },
      stable: { hits: 1, of: 1, widestSpread: 0 },
      errored: 0,
    },
  ],
  mutants: { hits: 3, of: 3 },
  problems: [],
  exitCode: EXIT.ok,
};

test('a judge that passes nothing at all is weak, even where another grader catches it', () => {
  expect(proofText(blind).split('\n').slice(2)).toEqual([
    '',
    'weak   kind: the judge passes every empty answer and every deliberately broken answer',
    '',
    '1 test: every oracle passes and no test passes with an empty answer, though 1 judge passed every one, 3 of 3 deliberately broken answers are caught',
    '',
  ]);
});

test('no oracle and a met budget are said as they are', () => {
  const none = { suite: 's', caseId: 'a', what: 'no-oracle', message: '' } as const;
  const failed = { suite: 's', caseId: 'a', what: 'nop-errored', message: 'no money' } as const;
  const plain = { ...blind, graders: [], mutants: { hits: 0, of: 0 } };
  expect(proofText({ ...plain, problems: [none] })).toContain(
    '1 test: no test has an oracle and no test passes with an empty answer\n',
  );
  expect(proofText({ ...plain, problems: [failed], exitCode: EXIT.budget })).toContain(
    '1 test: stopped by the budget before everything was graded\n',
  );
});
