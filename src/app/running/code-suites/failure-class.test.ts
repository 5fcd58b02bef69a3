import { expect, test } from 'vitest';

import { errorRecord, type ErrorRecord } from '../../../core/errors.ts';
import { openProbe } from '../../../engine/probe.ts';
import type { AgentFailure } from '../../../targets/coding-agent/adapter.ts';
import { failureError } from '../../../targets/coding-agent/outcome.ts';
import { classOfError } from './failure-class.ts';

const AGENT = {
  target: 'cc',
  program: 'claude',
  triedVersions: ['2.1.330'],
  credentialsHint: 'give it a key',
};

/** The error of a trial whose agent said this. */
function said(failure: Omit<AgentFailure, 'message'>): ErrorRecord {
  const thrown = failureError({ ...failure, message: 'no' }, AGENT);
  return errorRecord(thrown, { stage: 'target', kind: 'runner-crash' });
}

function isRejected(error: ErrorRecord): boolean {
  const trial = { key: 's/a/cc/r1', caseId: 'a', target: 'cc' } as Parameters<
    ReturnType<typeof openProbe>['ended']
  >[0];
  const probe = openProbe({ goesAlone: true });
  probe.ended(trial, { passed: false, verdict: 'errored', error });
  return probe.rejection() !== undefined;
}

test.each<[string, Omit<AgentFailure, 'message'>, string, boolean]>([
  ['no key', { kind: 'http-error', rejectsCredentials: true }, 'credentials-rejected', true],
  ['status 401', { kind: 'http-error', status: 401 }, 'credentials-rejected', true],
  ['status 403', { kind: 'runner-crash', status: 403 }, 'credentials-rejected', true],
  ['status 429', { kind: 'http-error', status: 429 }, 'provider-error', false],
  ['status 503', { kind: 'http-error', status: 503 }, 'provider-error', false],
  ['a rejected model', { kind: 'model-rejected', status: 404 }, 'model-rejected', true],
  ['a crash', { kind: 'runner-crash' }, 'runner-crash', false],
])('an agent that met %s has the class and the probe of it', (_, failure, id, rejects) => {
  const error = said(failure);
  expect([classOfError(error).id, isRejected(error)]).toEqual([id, rejects]);
});

test.each(['http-401', 'http-403'])('%s of a server is a rejection of credentials', (detail) => {
  const error: ErrorRecord = { stage: 'target', kind: 'http-error', code: detail, detail, message: 'no' };
  expect([classOfError(error).id, isRejected(error)]).toEqual(['credentials-rejected', true]);
});
