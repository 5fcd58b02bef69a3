import { describe, expect, test } from 'vitest';

import { judgeIdentity } from './judge-identity.ts';

describe('the identity of a judge', () => {
  const loadedWith = (models: object, judge: object | string = { model: 'local/judge' }) => ({
    config: { models, judge },
    written: new Map([['oracle', { keys: { type: 'model', model: 'local/oracle' } }]]),
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

  test('holds its own endpoint rather than that of its provider', () => {
    const models = { local: { baseUrl: 'http://one.test/v1' } };
    const judge = { model: 'local/judge', baseUrl: 'http://:secret-word@two.test/v1' };
    expect(identityOf(models, judge)).toEqual({ model: 'local/judge', baseUrl: 'http://two.test/v1' });
  });
});
