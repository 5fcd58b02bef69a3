import { given } from '../lib/given.ts';
import type { Attempt, Scene } from './attempt-scene.ts';
import { tell } from './tell.ts';

/** Takes over a kept conversation, if there is one. Neither the agent nor its user is asked. */
export function takeKept(attempt: Attempt, { conversation }: Scene): boolean {
  const { context, trial, testCase } = attempt;
  const kept = context.answers?.find(trial, testCase);
  if (kept === undefined) return false;
  const { from, transcript, latency, flags, unknownEvents, ...rest } = kept;
  Object.assign(conversation, rest, { cached: from });
  for (const entry of transcript) {
    conversation.transcript.push(entry);
    tell(attempt, { type: 'transcript-entry', entry });
  }
  conversation.latency.push(...latency);
  conversation.flags.push(...flags);
  Object.assign(conversation.unknownEvents, unknownEvents);
  return true;
}

/** Keeps a conversation that ended by itself, unless the agent changed its workspace. */
export async function keepAnswer(attempt: Attempt, { conversation, workspace }: Scene): Promise<void> {
  const { context, trial, testCase } = attempt;
  if (context.answers === undefined || conversation.past !== undefined || conversation.cached !== undefined)
    return;
  if (workspace !== undefined && (await workspace.changes()).length > 0) {
    context.answers.leaveOut(trial);
    return;
  }
  const { transcript, latency, turns, steps, flags, hasUnknownTokens, unknownEvents } = conversation;
  const { usage, costUsd, world, end } = conversation;
  context.answers.keep(trial, testCase, {
    from: { runId: context.runId, at: new Date(context.now()).toISOString() },
    transcript,
    latency,
    turns,
    steps,
    flags,
    hasUnknownTokens,
    unknownEvents,
    ...given({ usage, costUsd, world, end }),
  });
}
