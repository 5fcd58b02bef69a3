import { expect, test } from 'vitest';

import { exitCodeOf, noEvidenceText, type RunEnd } from './exit-code.ts';

const clean: RunEnd = {
  state: 'completed',
  resultsWritten: true,
  stoppedByBudget: false,
  failing: 0,
  errored: 0,
  maxErrored: 0,
  lacksShards: false,
  nothingMeasured: false,
};

test.each<[string, Partial<RunEnd>, number]>([
  ['0: nothing failed, nothing errored', {}, 0],
  ['0: as many errored as are allowed', { errored: 2, maxErrored: 2 }, 0],
  ['3: more errored than are allowed', { errored: 3, maxErrored: 2 }, 3],
  ['3: one errored where none is allowed', { errored: 1 }, 3],
  ['3: shards of a merged run are missing', { lacksShards: true }, 3],
  ['1 before 3: a failing trial and missing shards', { lacksShards: true, failing: 1 }, 1],
  ['3: nothing was measured', { nothingMeasured: true }, 3],
  [
    '3: nothing but errored trials, however many are tolerated',
    { nothingMeasured: true, errored: 2, maxErrored: 2 },
    3,
  ],
  [
    '3: nothing was measured and every gate holds',
    {
      nothingMeasured: true,
      errored: 2,
      maxErrored: 2,
      judgement: { hasFallen: false, isInvalid: false, isStrict: false },
    },
    3,
  ],
  [
    '1 before 3: a gate fell and another could not be measured',
    { judgement: { hasFallen: true, isInvalid: true, isStrict: false } },
    1,
  ],
  ['1: a failing trial', { failing: 1 }, 1],
  ['1 before 3', { failing: 1, errored: 5 }, 1],
  ['4: stopped by the budget', { stoppedByBudget: true, state: 'stopped' }, 4],
  ['4 before 1 and 3', { stoppedByBudget: true, failing: 1, errored: 5 }, 4],
  ['5: results could not be written', { resultsWritten: false }, 5],
  ['5 before 4, 1 and 3', { resultsWritten: false, stoppedByBudget: true, failing: 1, errored: 5 }, 5],
  ['130: Ctrl-C', { signal: 'SIGINT', state: 'interrupted' }, 130],
  ['143: asked to end', { signal: 'SIGTERM', state: 'interrupted' }, 143],
  [
    '130 before all others',
    { signal: 'SIGINT', resultsWritten: false, stoppedByBudget: true, failing: 1, errored: 5 },
    130,
  ],
])('%s', (_, end, code) => {
  expect(exitCodeOf({ ...clean, ...end })).toBe(code);
});

const held = { hasFallen: false, isInvalid: false, isStrict: false };

test.each<[string, Partial<RunEnd>, string | undefined]>([
  ['nothing: the code is another', { failing: 1, errored: 3 }, undefined],
  ['nothing: everything was measured', {}, undefined],
  [
    'that nothing was measured',
    { nothingMeasured: true, errored: 2 },
    'Nothing was measured: no trial passed and none failed, so the results are inconclusive (exit code 3).',
  ],
  [
    'how many errored trials there are and how many may be',
    { errored: 25, judgement: held },
    '25 trials errored, but --max-errored tolerates only 0, so the results are inconclusive (exit code 3).',
  ],
  [
    'that a condition could not be measured',
    { judgement: { ...held, isInvalid: true } },
    'A gate or the baseline could not be measured, so the results are inconclusive (exit code 3).',
  ],
  [
    'that the run has no end',
    { state: 'stopped', judgement: { ...held, isInvalid: true } },
    'The run was stopped before its end, so the results are inconclusive (exit code 3).',
  ],
])('says why a run is inconclusive: %s', (_, end, text) => {
  expect(noEvidenceText({ ...clean, ...end })).toBe(text);
});
