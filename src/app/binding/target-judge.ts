import { MeasurementError, messageOf } from '../../core/errors.ts';
import { JUDGE_DEFAULTS, type Judge, type JudgeRequest } from '../../core/judge.ts';
import type { ModelAnswer } from '../../core/model.ts';
import type { Price } from '../../core/price.ts';
import type { Target } from '../../core/target.ts';
import { finalAnswer, type Transcript } from '../../core/transcript.ts';
import { given } from '../../lib/given.ts';
import { askOnce, spentOnce } from './ask-once.ts';
import { bareWorld } from './bare-world.ts';

/** A target that is used as a judge. */
export interface JudgingTarget {
  readonly name: string;
  /** Time limit per answer, in milliseconds. Absent: the default of all judges. */
  readonly timeoutMs?: number | undefined;
  /** Absent: those of every judge. */
  readonly maxInputChars?: number | undefined;
  readonly samples?: number | undefined;
  /** Of its tokens, where it tells no cost itself. */
  readonly price?: Price | undefined;
  /** Whether it uses no paid service. */
  readonly isFree?: boolean | undefined;
  readonly prepared: (signal: AbortSignal) => Promise<Target>;
}

/** Uses a target of any type as a judge: one session per question, with the prompt as its first message. */
export function targetJudge(judging: JudgingTarget): Judge {
  const { name, timeoutMs = JUDGE_DEFAULTS.timeoutMs, price, isFree = false, prepared } = judging;
  const { maxInputChars = JUDGE_DEFAULTS.maxInputChars, samples = JUDGE_DEFAULTS.samples } = judging;
  return {
    name,
    maxInputChars,
    samples,
    takesTools: false,
    ask: async (request, signal) => {
      try {
        const target = await prepared(signal);
        const { transcript, durationMs } = await askTarget(name, target, { request, signal, timeoutMs });
        return { ...answerOf(name, transcript, price), ...(isFree ? { costUsd: 0 } : {}), durationMs };
      } catch (error) {
        signal.throwIfAborted();
        // If the target fails, its cost is unknown.
        throw asGrading(error, { name, timeoutMs, isCostUnknown: !isFree });
      }
    },
  };
}

async function askTarget(
  name: string,
  target: Target,
  {
    request,
    signal,
    timeoutMs,
  }: { readonly request: JudgeRequest; readonly signal: AbortSignal; readonly timeoutMs: number },
): Promise<{ readonly transcript: Transcript; readonly durationMs: number }> {
  const world = bareWorld('judge', name, request.repetition);
  const startedAt = performance.now();
  const timeout = AbortSignal.timeout(timeoutMs);
  const bounded = AbortSignal.any([signal, timeout]);
  try {
    const transcript = await askOnce(target, flattened(request), { world, signal: bounded });
    return { transcript, durationMs: Math.round(performance.now() - startedAt) };
  } finally {
    world.artifacts.remove();
  }
}

function answerOf(
  name: string,
  transcript: Transcript,
  price: Price | undefined,
): Omit<ModelAnswer, 'durationMs'> {
  const { usage, costUsd } = spentOnce(transcript, price);
  return {
    text: finalAnswer(transcript),
    toolCalls: [],
    finishReason: 'stop',
    model: name,
    ...given({ usage }),
    costUsd,
    waitedMs: 0,
    requests: 1,
  };
}

/** A target gets one text: the system prompt, then the material. */
function flattened({ messages }: JudgeRequest): string {
  return messages
    .flatMap((message) => {
      if (message.role === 'system') return [message.text];
      if (message.role !== 'user') return [];
      return message.parts.map((part) => ('text' in part ? part.text : ''));
    })
    .join('\n\n');
}

function asGrading(
  error: unknown,
  {
    name,
    timeoutMs,
    isCostUnknown,
  }: { readonly name: string; readonly timeoutMs: number; readonly isCostUnknown: boolean },
): MeasurementError {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  const known = error instanceof MeasurementError ? error : undefined;
  const message = isTimeout ? `no answer within ${timeoutMs} ms` : messageOf(error);
  return new MeasurementError(`target ${name}: ${message}`, {
    stage: 'grading',
    kind: isTimeout ? 'timeout' : (known?.kind ?? 'grader'),
    detail: known?.detail,
    hint: known?.hint,
    cause: error,
    isCostUnknown,
  });
}
