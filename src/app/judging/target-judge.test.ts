import { expect, test } from 'vitest';

import { judgedBy } from '../../../test/support/judging.ts';
import { llmJudge } from '../../graders/llm-judge.ts';
import { agentJudge } from '../../graders/agent-judge.ts';
import { services } from '../../graders/subject.fixture.ts';
import { mock, type MockConfig } from '../../targets/mock.ts';
import { noModels } from '../../../test/support/no-models.ts';
import type { GraderServices } from '../../core/plugin.ts';
import { judgeFinder } from './judges.ts';

const subject = { answer: 'Paris', case: { criteria: 'names the capital' } };

/** Graders whose judge is a mock target that answers so. */
function judgedByTarget(config: MockConfig): GraderServices {
  const settings = { name: 'oracle', type: 'mock', config };
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
  const given = judgedByTarget({ response: 'Well.\n{"score": 0.5, "reasoning": "half right"}' });
  const [finding] = await judgedBy(llmJudge, {}, { services: given, subject });
  expect(finding).toEqual({
    score: 0.5,
    reason: 'half right',
    model: 'oracle',
    costUsd: null,
    details: { judge: 'oracle', promptDigest: expect.any(String), answers: 1, injection: false },
  });
});

test('one that answers prose is an error as with a model', async () => {
  const given = judgedByTarget({ response: 'Well.' });
  const [finding] = await judgedBy(llmJudge, {}, { services: given, subject });
  expect(finding).toMatchObject({ score: null, failureCode: 'judge-invalid', details: { answers: 3 } });
});

test('one that fails is out of reach', async () => {
  const given = judgedByTarget({ responses: { other: 'x' } });
  const [finding] = await judgedBy(llmJudge, {}, { services: given, subject });
  expect(finding).toMatchObject({ score: null, failureCode: 'judge-unavailable' });
  expect(finding?.reason).toContain(
    'the judge oracle could not be asked: target oracle: the mock target oracle has no',
  );
});

test('it cannot be given tools', async () => {
  const given = judgedByTarget({ response: '{}' });
  const workspace = { directory: '/', changes: async () => [] };
  const asked = judgedBy(
    agentJudge,
    { prompt: 'done?' },
    { services: given, subject: { ...subject, workspace } },
  );
  await expect(asked).rejects.toThrow(
    'agent_judge needs a judge that takes tools, and the target oracle cannot',
  );
});
