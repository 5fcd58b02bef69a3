import { describe, expect, test } from 'vitest';

import { readRunRequest } from '../../authoring/config/run-request.ts';
import { layRequest } from './lay-request.ts';

const targets = ['oracle', 'other'];

/** What of the config holds under a request. */
function laid(config: object, asked: object) {
  const { request = {}, faults } = readRunRequest(asked, targets);
  expect(faults).toEqual([]);
  const run = { expectations: [{ type: 'contains', value: 'x' }], faults: [] };
  const settled = layRequest({ loaded: { config }, run } as never, request);
  const { judge, user } = settled.loaded.config;
  return { judge, user, run: settled.run };
}

describe('a request over the config', () => {
  test.each([
    ['nothing', { model: 'a/b', samples: 2 }, undefined, { model: 'a/b', samples: 2 }],
    [
      'a key',
      { model: 'a/b', metrics: [], passThreshold: 60 },
      { pass_threshold: 80 },
      { model: 'a/b', metrics: [], passThreshold: 80 },
    ],
    [
      'metrics, where a target judges',
      'oracle',
      { metrics: [{ metric: 'tool_routing' }], score_gate: 'never' },
      { target: 'oracle', metrics: [{ metric: 'tool_routing' }], scoreGate: 'never' },
    ],
    [
      'a model in the place of a target',
      { target: 'oracle', metrics: [] },
      { model: 'c/d', tool_calls: 'report' },
      { model: 'c/d', metrics: [], toolCalls: 'report' },
    ],
    [
      'a target in the place of a model',
      { model: 'a/b', temperature: 1, metrics: [] },
      'other',
      { target: 'other', temperature: 1, metrics: [] },
    ],
    [
      'null metrics, which are the eight',
      { model: 'a/b', metrics: [] },
      { metrics: null },
      { model: 'a/b', metrics: null },
    ],
    ['metrics alone, where nobody judges', undefined, { metrics: [] }, { metrics: [] }],
  ])('settles the judge with %s', (_, config, request, judge) => {
    expect(laid({ judge: config }, { judge: request }).judge).toEqual(judge);
  });

  test.each([
    ['nothing', 'oracle', undefined, 'oracle'],
    ['a key, where a target plays', 'oracle', { audit: 'enforce' }, { target: 'oracle', audit: 'enforce' }],
    [
      'a key over a model',
      { type: 'simulated', model: 'a/b', temperature: 1 },
      { max_output_tokens: 9, audit_judge: true },
      { type: 'simulated', model: 'a/b', temperature: 1, maxOutputTokens: 9, auditJudge: true },
    ],
    [
      'a script in the place of a model',
      { model: 'a/b' },
      { type: 'scripted', messages: ['hi'] },
      { type: 'scripted', messages: ['hi'] },
    ],
    [
      'a model in the place of a script',
      { type: 'scripted', messages: [] },
      { model: 'a/b' },
      { model: 'a/b' },
    ],
  ])('settles the user with %s', (_, config, request, user) => {
    expect(laid({ user: config }, { user: request }).user).toEqual(user);
  });

  test('replaces expectations and faults, and keeps those of the config where it has none', () => {
    const own = [{ type: 'contains', value: '${{ LEFT_ALONE }}' }];
    const asked = { expectations: own, faults: [{ tool: 'find', kind: 'slow', on_call: 2 }] };
    expect(laid({}, asked).run).toEqual({
      expectations: own,
      areExpectationsRequested: true,
      faults: [{ tool: 'find', kind: 'slow', onCall: 2 }],
    });
    expect(laid({}, {}).run).toEqual({ expectations: [{ type: 'contains', value: 'x' }], faults: [] });
  });
});

describe('a request is refused', () => {
  test.each([
    [
      'an address',
      { judge: { model: 'a/b', base_url: 'http://x.test' } },
      [['unknown-key', 'judge.base_url']],
    ],
    ['the name of a key', { user: { model: 'a/b', apiKeyEnv: 'KEY' } }, [['unknown-key', 'user.apiKeyEnv']]],
    ['a price', { judge: { price: { input: 1, output: 1 } } }, [['unknown-key', 'judge.price']]],
    [
      'a variable',
      { judge: { target: 'oracle', metrics: [{ metric: '${{ KEY }}' }] } },
      [['not-in-request', 'judge.metrics.0.metric']],
    ],
    [
      'a target that the config lacks',
      { judge: 'oracel', user: { target: 'replay:../run' } },
      [
        ['unknown-target', 'judge'],
        ['unknown-target', 'user.target'],
      ],
    ],
    [
      'a model and a target',
      { judge: { model: 'a/b', target: 'oracle' } },
      [['invalid-value', 'judge.target']],
    ],
  ])('for %s', (_, asked, expected) => {
    const { request, faults } = readRunRequest(asked, targets);
    expect([request, faults.map(({ code, path }) => [code, path.join('.')])]).toEqual([undefined, expected]);
  });

  test('with the nearest known word', () => {
    const { faults } = readRunRequest({ judge: { pass_treshold: 3 } }, targets);
    expect(faults.map(({ message, hint }) => [message, hint])).toEqual([
      ['unknown key `pass_treshold` in judge', 'did you mean `pass_threshold`?'],
    ]);
  });
});
