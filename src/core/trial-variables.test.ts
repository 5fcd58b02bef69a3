import { expect, test } from 'vitest';

import { trialVariables } from './trial-variables.ts';

test('the variables contain the known values of a trial', () => {
  const trial = { caseId: 'refund – ümlaut', runId: 'r1', target: 'clerk' };
  const told = { ASSAY_CASE_ID: 'refund – ümlaut', ASSAY_RUN_ID: 'r1', ASSAY_TARGET_ID: 'clerk' };
  expect(trialVariables({ trial })).toEqual(told);
  expect(trialVariables({ trial, workspace: { directory: '/w' }, artifactDirectory: '/a' })).toEqual({
    ...told,
    ASSAY_WORKSPACE: '/w',
    ASSAY_ARTIFACT_DIR: '/a',
  });
});

test('control characters of ids are replaced, so that a process can be started with them', () => {
  const trial = { caseId: 'a\0b\nc', runId: 'r1', target: 't\u001b' };
  expect(trialVariables({ trial })).toEqual({
    ASSAY_CASE_ID: 'a\ufffdb\ufffdc',
    ASSAY_RUN_ID: 'r1',
    ASSAY_TARGET_ID: 't\ufffd',
  });
});
