import { randomBytes } from 'node:crypto';

import { messageOf } from '../../core/errors.ts';
import type { Target, World } from '../../core/target.ts';
import { askOnce } from '../binding/ask-once.ts';
import { finalAnswer, isAnswer } from '../../core/transcript.ts';

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
  try {
    const transcript = await askOnce(target, question, { world: whole, signal: bounded });
    if (transcript.some(isAnswer)) return { answer: finalAnswer(transcript), durationMs: durationMs() };
    return { error: 'the agent gave no answer', durationMs: durationMs() };
  } catch (error) {
    signal.throwIfAborted();
    return { error: messageOf(error), durationMs: durationMs() };
  } finally {
    clearTimeout(timer);
  }
}
