import type { World, Session, Target } from '../core/target.ts';
import type { Fact } from '../core/run.ts';
import type { Attempt, Scene } from './attempt-scene.ts';
import { converse } from './converse.ts';
import { replaySession } from './past-session.ts';
import { stepsInto } from './steps.ts';
import { tell } from './tell.ts';
import { offered, throughTools } from './tool-session.ts';
import { unlessAborted } from '../lib/time/unless-aborted.ts';
import { startWatch, type Watch } from './watch.ts';

/** Opens the session, runs the conversation, and always ends the session and its processes. */
export async function holdSession(
  attempt: Attempt,
  scene: Scene,
  spent: ((usd: number) => void) | undefined,
): Promise<void> {
  const { trial, testCase, settings, context, signal } = attempt;
  const { artifacts, conversation, world } = scene;
  const target = await unlessAborted(context.target(trial.target, signal), signal);
  const watch = startWatch(settings.limits);
  const countSteps = stepsInto(conversation);
  const abandon = () => watch.abort(signal.reason);
  signal.addEventListener('abort', abandon);
  if (signal.aborted) abandon();
  try {
    watch.asking('target');
    await using tools = await context.openTools?.({ trial, testCase, artifacts, broken: watch.abort });
    const heard: World = {
      ...(tools === undefined ? world : { ...world, ...offered(tools) }),
      pulse: watch.pulse,
      hold: watch.hold,
      stepBegan: (step) => {
        countSteps({ type: 'step-began', step });
        watch.reached({ steps: conversation.steps, tokens: 0, costUsd: 0 });
      },
    };
    await using opened = await openSession(target, heard, watch);
    if (opened.past !== undefined)
      return replaySession(opened.past, conversation, (fact) => tell(attempt, fact));
    const talk = {
      session: throughTools(opened, tools, settings),
      user: userOf(attempt, scene),
      watch,
      limits: settings.limits,
      price: settings.price,
      now: context.now,
      countSteps,
      spent,
      tell: (fact: Fact) => tell(attempt, fact),
    };
    try {
      return await converse(talk, conversation);
    } finally {
      conversation.world = tools?.outcome();
    }
  } finally {
    signal.removeEventListener('abort', abandon);
    watch.stop();
  }
}

function userOf(attempt: Attempt, { artifacts, conversation }: Scene) {
  const { target, repetition } = attempt.trial;
  return attempt.context.userFor(attempt.testCase, {
    target,
    repetition,
    artifacts,
    spent: (use) => {
      conversation.modelUses.push(use);
      tell(attempt, use);
    },
  });
}

/** Opens a session. If it opens after its time limit, it is closed immediately. */
async function openSession(target: Target, world: World, watch: Watch): Promise<Session> {
  const opening = target.open(world, watch.signal);
  try {
    return await watch.bounded(opening);
  } catch (error) {
    opening.then((late) => late[Symbol.asyncDispose]()).catch(() => {});
    throw error;
  }
}
