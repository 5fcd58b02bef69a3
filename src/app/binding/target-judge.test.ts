import { expect, test } from 'vitest';

import { judgedBy } from '../../../test/support/judging.ts';
import { llmJudge } from '../../graders/llm-judge.ts';
import { agentJudge } from '../../graders/agent-judge.ts';
import { services } from '../../graders/subject.fixture.ts';
import { given } from '../../lib/given.ts';
import { doorTo } from '../../models/door.fixture.ts';
import { modelTarget } from '../../targets/model/model.ts';
import { openaiCompatible } from '../../targets/openai-compatible/openai-compatible.ts';
import { modelServer } from '../../../test/support/model-server.ts';
import { mock, type MockConfig } from '../../targets/mock.ts';
import { noModels } from '../../../test/support/no-models.ts';
import type { GraderServices } from '../../core/plugin.ts';
import type { Price } from '../../core/price.ts';
import type { Target } from '../../core/target.ts';
import { judgeFinder } from './judges.ts';
import { targetJudge } from './target-judge.ts';

const subject = { answer: 'Paris', case: { criteria: 'names the capital' } };

/** Graders whose judge is a mock target that answers so. */
function judgedByTarget(config: MockConfig, common: { readonly timeoutMs?: number } = {}): GraderServices {
  const settings = { name: 'oracle', type: 'mock', config, ...common };
  const target = mock.create(config, {
    name: 'oracle',
    directory: '/',
    environment: {},
    operatorEnvironment: {},
    models: noModels,
    storedRun: () => Promise.reject(new Error('no run')),
  });
  return {
    ...services,
    judgeFor: judgeFinder({
      names: { ofTarget: () => undefined, ofConfig: 'oracle' },
      models: noModels,
      targets: new Map([
        ['oracle', { settings: settings as never, plugin: mock, environment: {}, operatorEnvironment: {} }],
      ]),
      prepared: async () => target,
    }),
  };
}

test('a target of any type can judge: it gets the prompt as text and answers with the object', async () => {
  const supplied = judgedByTarget({ response: 'Well.\n{"score": 0.5, "reasoning": "half right"}' });
  const [finding] = await judgedBy(llmJudge, {}, { services: supplied, subject });
  expect(finding).toEqual({
    score: 0.5,
    reason: 'half right',
    model: 'oracle',
    costUsd: 0,
    details: { judge: 'oracle', promptDigest: expect.any(String), answers: 1, injection: false },
  });
});

test.each<
  readonly [string, Price | undefined, readonly { tokens?: number; costUsd?: number }[], number | null]
>([
  ['as it told', undefined, [{ costUsd: 0.25 }, { costUsd: 0.5 }], 0.75],
  ['by its price where it told tokens', { input: 1, output: 2 }, [{ tokens: 1e6 }, { costUsd: 0.5 }], 3.5],
  ['as unknown where a part is', undefined, [{ tokens: 1e6 }, { costUsd: 0.5 }], null],
])('its answer is counted %s', async (_, price, told, costUsd) => {
  const entries = told.map(({ tokens, costUsd: usd }) => ({
    type: 'usage' as const,
    ...(tokens === undefined ? {} : { inputTokens: tokens, outputTokens: tokens, totalTokens: 2 * tokens }),
    ...given({ costUsd: usd }),
  }));
  const target: Target = {
    open: async () => ({
      async *respond() {
        yield* entries;
        return {};
      },
      [Symbol.asyncDispose]: async () => {},
    }),
  };
  const judge = targetJudge({
    name: 'oracle',
    ...given({ price }),
    prepared: async () => target,
  });
  const { signal } = new AbortController();
  expect((await judge.ask({ messages: [] }, signal)).costUsd).toBe(costUsd);
});

test('one that answers prose is an error as with a model', async () => {
  const supplied = judgedByTarget({ response: 'Well.' });
  const [finding] = await judgedBy(llmJudge, {}, { services: supplied, subject });
  expect(finding).toMatchObject({ score: null, failureCode: 'judge-invalid', details: { answers: 3 } });
});

test('one that fails is out of reach', async () => {
  const supplied = judgedByTarget({ responses: { other: 'x' } });
  const [finding] = await judgedBy(llmJudge, {}, { services: supplied, subject });
  expect(finding).toMatchObject({ score: null, failureCode: 'judge-unavailable' });
  expect(finding?.costUsd).toBeUndefined();
  expect(finding?.reason).toContain(
    'the judge oracle could not be reached: target oracle: the mock target oracle has no',
  );
});

test('it cannot be given tools', async () => {
  const supplied = judgedByTarget({ response: '{}' });
  const workspace = { directory: '/', changes: async () => [] };
  const asked = judgedBy(
    agentJudge,
    { prompt: 'done?' },
    { services: supplied, subject: { ...subject, workspace } },
  );
  await expect(asked).rejects.toThrow(
    'agent_judge needs a judge that supports tools, but the target oracle does not',
  );
});

test('its timeoutMs holds while it judges', async () => {
  const supplied = judgedByTarget(
    { response: '{"score": 1, "reasoning": "ok"}', delayMs: 60_000 },
    { timeoutMs: 20 },
  );
  const [finding] = await judgedBy(llmJudge, {}, { services: supplied, subject });
  expect(finding).toMatchObject({ score: null, failureCode: 'judge-timeout' });
  expect(finding?.reason).toContain('target oracle: no answer within 20 ms');
});

test.each([
  ['model', modelTarget, { model: 'local/judge' }],
  ['openai-compatible', openaiCompatible, { model: 'judge', baseUrl: 'OF_THE_SERVER' }],
] as const)('so does that of a target that lends its model (%s)', async (type, plugin, keys) => {
  const server = await modelServer({ rules: [{ reply: { hang: true } }] });
  const config = 'baseUrl' in keys ? { ...keys, baseUrl: `${server.url}/v1` } : keys;
  const settings = { name: 'oracle', type, config, timeoutMs: 20 };
  const target = { settings, plugin, environment: {}, operatorEnvironment: {} };
  const supplied: GraderServices = {
    ...services,
    judgeFor: judgeFinder({
      names: { ofTarget: () => undefined, ofConfig: 'oracle' },
      models: doorTo(server.url),
      targets: new Map([['oracle', target as never]]),
      prepared: () => Promise.reject(new Error('it is asked as a model')),
    }),
  };
  const [finding] = await judgedBy(llmJudge, {}, { services: supplied, subject });
  expect(finding).toMatchObject({ score: null, failureCode: 'judge-timeout' });
  expect(finding?.reason).toContain('the request timed out after 20 ms');
});
