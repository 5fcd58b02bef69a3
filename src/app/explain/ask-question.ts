import { randomBytes } from 'node:crypto';

import { messageOf } from '../../core/errors.ts';
import { textOf } from '../../core/message.ts';
import type { Target, World } from '../../core/target.ts';
import { isAnswer } from '../../core/transcript.ts';

/** Time limit for one answer, in milliseconds. */
const QUESTION_TIMEOUT_MS = 300_000;

export interface Asking {
  readonly target: Target;
  readonly world: Omit<World, 'marker' | 'pulse' | 'history'>;
  readonly question: string;
}

/** Sends one message to a resumed session, in a separate process. It does not appear in a transcript. */
export async function askQuestion(
  { target, world, question }: Asking,
  signal: AbortSignal,
): Promise<{ readonly answer?: string; readonly error?: string; readonly durationMs: number }> {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  const limit = new AbortController();
  const late = () => limit.abort(new Error(`no answer within ${QUESTION_TIMEOUT_MS / 1000} s`));
  const timer = setTimeout(late, QUESTION_TIMEOUT_MS);
  const bounded = AbortSignal.any([signal, limit.signal]);
  const whole: World = {
    ...world,
    history: [],
    marker: randomBytes(8).toString('hex'),
    pulse: () => {},
  };
  let answer: string | undefined;
  try {
    await using session = await target.open(whole, bounded);
    const turn = session.respond({ parts: [{ text: question }] }, bounded);
    for (;;) {
      const next = await turn.next();
      if (next.done === true) break;
      if (isAnswer(next.value)) answer = textOf(next.value.parts);
    }
  } catch (error) {
    signal.throwIfAborted();
    return { error: messageOf(error), durationMs: durationMs() };
  } finally {
    clearTimeout(timer);
  }
  if (answer === undefined) return { error: 'the agent gave no answer', durationMs: durationMs() };
  return { answer, durationMs: durationMs() };
}
