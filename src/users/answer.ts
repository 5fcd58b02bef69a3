import * as z from 'zod';

import type { ModelAnswer } from '../core/model.ts';
import type { JsonObject } from '../lib/json.ts';
import { repeats } from '../lib/text/repeats.ts';
import { soleObject, type SoleObject } from '../lib/text/sole-object.ts';

const answer = z.strictObject({
  message: z.string().nullable(),
  done: z.boolean(),
  reason: z.enum(['satisfied', 'gave-up', 'handed-over', 'other']).nullable(),
  note: z.string().nullable(),
});

export type SimulatedAnswer = z.infer<typeof answer>;

export const ANSWER_SCHEMA = z.toJSONSchema(answer, { target: 'draft-7' }) as JsonObject;

/** Why an answer is unusable; `detail` is the error code if the second answer is unusable too. */
export interface AnswerFault {
  readonly detail: 'blank' | 'role-break' | 'invalid';
  readonly what: string;
  /** Only for the model: how to do it better. */
  readonly advice?: string;
}

export type ReadAnswer = { readonly value: SimulatedAnswer } | { readonly fault: AnswerFault };

/** Reads the only usable answer of a model; text of `heard` that it repeats does not count. */
export function readAnswer(
  { text, objectText = text }: Pick<ModelAnswer, 'text' | 'objectText'>,
  heard: readonly string[],
): ReadAnswer {
  const keys = Object.keys(answer.shape);
  const sole = soleObject(objectText, { keys, repeated: () => repeats(heard) });
  if ('object' in sole) {
    const { data } = answer.safeParse(sole.object);
    if (data === undefined) return { fault: { detail: 'invalid', what: NO_ANSWER } };
    const fault = faultOf(data);
    return fault === undefined ? { value: data } : { fault };
  }
  const label = sole.fault === 'none' ? speakerLabel(text) : undefined;
  if (label !== undefined) return { fault: roleBreak(label) };
  return { fault: { detail: 'invalid', what: wordsOf(sole) } };
}

function wordsOf(sole: Exclude<SoleObject, { object: unknown }>): string {
  if (sole.fault === 'too-deep') return sole.message;
  return sole.fault === 'several' ? 'the answer contained more than one JSON object' : NO_ANSWER;
}

const NO_ANSWER = 'the answer was not a single JSON object with message, done, reason and note';

function faultOf({ message, done, reason }: SimulatedAnswer): AnswerFault | undefined {
  if (message === null && !done) {
    return { detail: 'blank', what: 'the answer has neither a message nor `done: true`' };
  }
  if (message !== null && message.trim() === '') {
    return { detail: 'blank', what: 'the message is blank', advice: 'to say nothing, set it to null' };
  }
  if (done && reason === null) return { detail: 'invalid', what: '`done` is true, but `reason` is missing' };
  const label = speakerLabel(message ?? '');
  return label === undefined ? undefined : roleBreak(label);
}

function roleBreak(label: string): AnswerFault {
  const what = `the message starts with the speaker label ${label}`;
  return { detail: 'role-break', what, advice: 'write only the words of the person' };
}

function speakerLabel(text: string): string | undefined {
  const match = /^[\s*_"'([]*(user|customer|assistant|agent|system)[*_\])]*\s*:/i.exec(text);
  return match?.[1] === undefined ? undefined : `"${match[1]}:"`;
}
