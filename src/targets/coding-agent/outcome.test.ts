import { expect, test } from 'vitest';

import type { AgentFailure } from './adapter.ts';
import { outcomeOf, type NamedAgent, type TurnExit } from './outcome.ts';
import type { TurnState } from './turn-reader.ts';

const AGENT: NamedAgent = {
  target: 'cc',
  program: 'claude',
  version: '2.1.330',
  triedVersions: ['2.1.197', '2.1.330'],
  credentialsHint: 'give it a key',
};
const QUIET: TurnState = { notes: [], unknown: new Map(), foreignLines: 0, isRecognised: true };
const EXIT: TurnExit = { exitCode: 0, signal: null, stderr: '', hasLingered: false };
const OK = { terminal: { ok: true } } as const;

function seen(state: Partial<TurnState>, exit: Partial<TurnExit> = {}): unknown {
  const error = outcomeOf({ ...QUIET, ...state }, { ...EXIT, ...exit }, AGENT);
  if (error === undefined) return 'done';
  const { kind, detail, transient, hint } = error;
  return { kind, detail, transient, hint };
}

const failed = (failure: Partial<AgentFailure>): Partial<TurnState> => ({
  terminal: { ok: false, failure: { kind: 'http-error', message: 'no', ...failure } },
});
const error = (kind: string, more: object = {}) => ({
  kind,
  detail: undefined,
  transient: false,
  hint: undefined,
  ...more,
});
const drift = error('adapter-drift', {
  hint: 'look at its output in the folder of the trial; a newer assay may support it',
});
const credentials = error('http-error', { detail: 'credentials-rejected', hint: 'give it a key' });
const strange = { unknown: new Map([['novelty', 1]]) };

test.each<[string, Partial<TurnState>, Partial<TurnExit>, unknown]>([
  ['success and exit 0', OK, {}, 'done'],
  ['success and a process that stayed', OK, { exitCode: null, signal: 'SIGTERM', hasLingered: true }, 'done'],
  ['success with unknown events', { ...OK, ...strange }, {}, 'done'],
  ['success without anything recognised', { ...OK, ...strange, isRecognised: false }, {}, drift],
  ['success without any words', { ...OK, isRecognised: false }, {}, 'done'],
  ['success and exit 3', OK, { exitCode: 3 }, error('runner-crash')],
  ['no terminal event, exit 1', {}, { exitCode: 1 }, error('runner-crash')],
  ['no terminal event, a signal', strange, { exitCode: null, signal: 'SIGSEGV' }, error('runner-crash')],
  ['no terminal event, exit 0', {}, {}, error('runner-crash')],
  ['no terminal event, exit 0, unknown events', strange, {}, drift],
  ['no terminal event, exit 0, prose', { foreignLines: 2 }, {}, drift],
  [
    'a failure wins over exit 0',
    failed({ kind: 'model-rejected' }),
    {},
    error('model-rejected', { hint: 'correct targets.cc.model' }),
  ],
  ['429', failed({ status: 429 }), {}, error('http-error', { detail: 'http-429', transient: true })],
  ['503', failed({ status: 503 }), {}, error('http-error', { detail: 'http-503', transient: true })],
  ['400', failed({ status: 400 }), {}, error('http-error', { detail: 'http-400' })],
  ['401', failed({ status: 401 }), {}, credentials],
  ['403', failed({ status: 403 }), {}, credentials],
  ['no key', failed({ rejectsCredentials: true }), {}, credentials],
  [
    'no network',
    failed({ kind: 'target-unavailable' }),
    {},
    error('target-unavailable', { transient: true }),
  ],
  ['another failure', failed({ kind: 'runner-crash' }), { exitCode: 1 }, error('runner-crash')],
  [
    'given up without a terminal event',
    { abandon: { kind: 'http-error', status: 401, message: 'no' } },
    {},
    credentials,
  ],
])('%s', (_what, state, exit, expected) => {
  expect(seen(state, exit)).toEqual(expected);
});

test('a drift names the version, the unknown output, and the tested versions', () => {
  const state = { ...QUIET, unknown: new Map([['novelty', 2]]), foreignLines: 3 };
  expect(outcomeOf(state, EXIT, AGENT)?.message).toBe(
    'claude 2.1.330 printed output that assay cannot read: unknown events: novelty (2) and 3 lines that are not JSON (the program ended with exit code 0; tested versions: 2.1.197, 2.1.330)',
  );
});

test('for an untested version the hint names a tested one', () => {
  const drifted = outcomeOf({ ...QUIET, ...strange }, EXIT, { ...AGENT, version: '9.0.0' });
  expect(drifted?.hint).toBe('install claude 2.1.330, or a newer assay');
});
