import { describe, expect, test } from 'vitest';

import { cli } from '../../targets/cli/cli.ts';
import { modelTarget } from '../../targets/model/model.ts';
import { judgeIdentity } from './judge-identity.ts';

const ASIDE = {
  price: { input: 1, output: 1 },
  apiKeyEnv: 'MY_KEY',
  maxParallel: 2,
  timeoutMs: 5,
  idleTimeoutMs: 5,
  retryInfrastructure: 0,
  healthcheck: { url: 'http://one.test' },
  judge: 'oracle',
  system: 'Be brief.',
  tools: [],
  maxStepsPerTurn: 3,
};

describe('the identity of a judge', () => {
  const loadedWith = (models: object, judge: object | string = { model: 'local/judge' }) => ({
    config: { models, judge },
    written: new Map([
      ['oracle', { keys: { type: 'model', model: 'local/oracle' } }],
      ['bare', { keys: { type: 'model', model: 'local/x', temperature: 1, maxOutputTokens: 9 } }],
      ['dear', { keys: { ...ASIDE, type: 'model', model: 'local/x', temperature: 1, maxOutputTokens: 9 } }],
      ['program', { keys: { ...ASIDE, type: 'cli', command: ['./judge'], system: 'mine' } }],
    ]),
    plugins: new Map([modelTarget, cli].map((plugin) => [plugin.type, plugin])),
  });
  const identityOf = (...given: Parameters<typeof loadedWith>) =>
    judgeIdentity(loadedWith(...given) as never, undefined).of(null);

  test('holds the endpoint of its provider, as it is written and without secrets', () => {
    const models = { local: { baseUrl: 'http://ann:secret-word@one.test/v1?key=secret-word#x' } };
    expect(identityOf(models)).toEqual({ model: 'local/judge', baseUrl: 'http://one.test/v1' });
    expect(identityOf(models, 'oracle')).toEqual({
      target: 'oracle',
      keys: { type: 'model', model: 'local/oracle', baseUrl: 'http://one.test/v1' },
    });
    expect(identityOf({ local: { baseUrl: '${{ LLM_URL }}' } })).toEqual({
      model: 'local/judge',
      baseUrl: '${{ LLM_URL }}',
    });
    expect(identityOf({ other: { baseUrl: 'http://one.test' } })).toEqual({ model: 'local/judge' });
  });

  test('contains only what can change answers: no price, no time, no settings of a target that is not judging', () => {
    const { price, apiKeyEnv, timeoutMs } = ASIDE;
    const judge = { model: 'local/judge', temperature: 1, maxInputChars: 9, samples: 3 };
    expect(identityOf({}, { ...judge, price, apiKeyEnv, timeoutMs })).toEqual(judge);
    const keys = { type: 'model', model: 'local/x', temperature: 1, maxOutputTokens: 9 };
    expect(identityOf({}, 'dear')).toEqual({ target: 'dear', keys });
    expect(identityOf({}, 'bare')).toEqual({ target: 'bare', keys });
    expect(identityOf({}, 'program')).toEqual({
      target: 'program',
      keys: { type: 'cli', command: ['./judge'], system: 'mine', tools: [], maxStepsPerTurn: 3 },
    });
  });

  test('of a target with settings holds those, and nothing of what is scored', () => {
    const keys = { type: 'model', model: 'local/oracle' };
    expect(identityOf({}, { target: 'oracle', metrics: [], passThreshold: 3 })).toEqual(
      identityOf({}, 'oracle'),
    );
    expect(identityOf({}, { target: 'oracle', temperature: 1, timeoutMs: 9 })).toEqual({
      target: 'oracle',
      keys,
      settings: { temperature: 1 },
    });
    expect(identityOf({}, { metrics: [] })).toBeNull();
  });

  test('holds its own endpoint rather than that of its provider', () => {
    const models = { local: { baseUrl: 'http://one.test/v1' } };
    const judge = { model: 'local/judge', baseUrl: 'http://:secret-word@two.test/v1' };
    expect(identityOf(models, judge)).toEqual({ model: 'local/judge', baseUrl: 'http://two.test/v1' });
  });
});
