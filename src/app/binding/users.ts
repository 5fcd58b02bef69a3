import { BudgetSpent, MeasurementError } from '../../core/errors.ts';
import type { ModelAnswer, ModelDoor } from '../../core/model.ts';
import type { GraderServices } from '../../core/plugin.ts';
import type { TestCase } from '../../core/test-case.ts';
import { openingOf, type SimulatedPlan, type User } from '../../core/user.ts';
import type { ModelUse, UserScene } from '../../engine/trial-context.ts';
import { given } from '../../lib/given.ts';
import { auditingJudge } from '../../users/audit-judge.ts';
import { scriptedUser } from '../../users/scripted.ts';
import { simulatedUser } from '../../users/simulated.ts';
import { askedWithin } from './asked-within.ts';
import type { ModelUser, UserChoice } from './choose-user.ts';

export interface UsersInput {
  readonly choice: UserChoice | undefined;
  readonly firstSpeaker: 'user' | 'agent';
  readonly models: ModelDoor;
  readonly judgeFor: GraderServices['judgeFor'];
}

/** Creates the user of a trial: scripted, or simulated by a model. */
export function userFinder(input: UsersInput): (testCase: TestCase, scene: UserScene) => User {
  const { choice, firstSpeaker } = input;
  return (testCase, scene) => {
    const { user } = testCase;
    const { line } = openingOf(testCase);
    const opening = line === undefined ? [] : [line];
    if (user?.type === 'scripted') return scriptedUser(user.messages, firstSpeaker);
    if (user === undefined) return scriptedUser(opening, firstSpeaker);
    if (choice?.type === 'simulated') return playedBy(choice, { ...input, testCase, user, scene });
    const lines = (choice?.messages ?? []).map((text) => ({ parts: [{ text }] }));
    return scriptedUser([...opening, ...lines], firstSpeaker);
  };
}

interface Playing extends UsersInput {
  readonly testCase: TestCase;
  readonly user: SimulatedPlan;
  readonly scene: UserScene;
}

function playedBy(played: ModelUser, { testCase, user, scene, ...input }: Playing): User {
  const { choice, temperature, maxOutputTokens, audit, auditJudge, addresses } = played;
  const models = askedWithin(input.models, addresses);
  const { history, line } = openingOf(testCase);
  return simulatedUser({
    plan: user,
    history,
    ...given({ line }),
    firstSpeaker: input.firstSpeaker,
    audit,
    ask: async (request, signal) => {
      const { repetition } = scene;
      const asked = { ...choice, ...request, temperature, maxOutputTokens, repetition };
      const answer = await counted('user', scene, () => models.ask({ ...asked, role: 'user' }, signal));
      return answer;
    },
    ...(auditJudge && audit !== 'off' ? { judge: judged({ testCase, user, scene, ...input }) } : {}),
  });
}

function judged({ user, scene, judgeFor }: Playing): ReturnType<typeof auditingJudge> {
  return auditingJudge(user, async (request, signal) => {
    const judge = judgeFor(undefined, scene.target);
    const { repetition } = scene;
    const answer = await counted('judge', scene, () => judge.ask({ ...request, repetition }, signal));
    return answer;
  });
}

/** Reports the cost of a call, even if it failed. */
async function counted(
  role: ModelUse['role'],
  { spent }: UserScene,
  ask: () => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  try {
    const answer = await ask();
    spent(useOf(role, answer));
    return answer;
  } catch (error) {
    const isKnown =
      error instanceof BudgetSpent || (error instanceof MeasurementError && !error.isCostUnknown);
    if (!isKnown) spent({ type: 'model-usage', role, costUsd: null });
    throw error;
  }
}

function useOf(
  role: ModelUse['role'],
  { usage, model, costUsd }: Pick<ModelAnswer, 'usage' | 'model' | 'costUsd'>,
): ModelUse {
  return { type: 'model-usage', role, ...given({ usage }), model, costUsd };
}
