import { BudgetSpent, MeasurementError, messageOf, isMalformedAnswer } from '../core/errors.ts';
import { textOf, type Message, type UserMessage } from '../core/message.ts';
import type { ModelAnswer, ModelMessage, ModelPart, ModelRequest } from '../core/model.ts';
import type { SimulatedPlan, User, UserTurn } from '../core/user.ts';
import { ANSWER_SCHEMA, readAnswer, type AnswerFault, type SimulatedAnswer } from './answer.ts';
import { createAudit, type AuditedTurn } from './audit.ts';
import { earlierTurns, flippedHistory, turnsOf } from './history.ts';
import { simulatorPrompt } from './simulator-prompt.ts';

export interface SimulatedUser {
  readonly plan: SimulatedPlan;
  /** Messages before the conversation. */
  readonly history: readonly Message[];
  /** Its first message, if it is scripted. */
  readonly line?: UserMessage;
  readonly firstSpeaker: 'user' | 'agent';
  readonly audit: AuditMode;
  /** Asks the model that plays it, and counts the cost. */
  readonly ask: (
    request: Pick<ModelRequest, 'messages' | 'schema' | 'isUsable'>,
    signal: AbortSignal,
  ) => Promise<ModelAnswer>;
  /** A check of a turn by another model. */
  readonly judge?: (turn: AuditedTurn, signal: AbortSignal) => Promise<readonly Finding[]>;
}

/** What happens with findings of an audit: nothing, flags on the trial, or an errored trial. */
export type AuditMode = 'off' | 'report' | 'enforce';

/** Receives a flag and the observation, for people. */
export interface Finding {
  readonly flag: string;
  readonly about: string;
}

/** A user that a model plays. Expectations never reach the model. */
export function simulatedUser(made: SimulatedUser): User {
  const { plan, line, firstSpeaker, history } = made;
  const system: ModelMessage = { role: 'system', text: simulatorPrompt(plan) };
  const earlier = earlierTurns(history);
  const written = earlier.flatMap(({ by, text }) => (by === 'user' ? [text] : []));
  if (line !== undefined) written.push(textOf(line.parts));
  const audit = createAudit(plan, written);
  let isOpened = false;
  return {
    speaksFirst: firstSpeaker === 'user',
    async next(transcript, signal) {
      if (!isOpened && line !== undefined) {
        isOpened = true;
        return { message: line };
      }
      isOpened = true;
      const before = [...earlier, ...turnsOf(transcript)];
      const answer = await usableAnswer(made, [system, ...flippedHistory(before)], signal);
      const { message, done, reason } = answer;
      if (made.audit === 'off') return turnOf(answer, []);
      const turn: AuditedTurn = { message, done, reason, before };
      const found = [...audit(turn), ...(await secondOpinion(made, turn, signal))];
      if (made.audit === 'enforce' && found.length > 0) throw refused(found);
      return turnOf(answer, found);
    },
  };
}

/** Findings of the judge's model. If flags are only reported, a failed audit becomes a flag too. */
async function secondOpinion(
  { judge, audit }: SimulatedUser,
  turn: AuditedTurn,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  try {
    return (await judge?.(turn, signal)) ?? [];
  } catch (error) {
    if (audit === 'enforce' || !(error instanceof MeasurementError)) throw error;
    return [{ flag: 'not-audited', about: error.message }];
  }
}

/** Asks once, and again when the first answer is unusable. */
async function usableAnswer(
  { ask }: SimulatedUser,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): Promise<SimulatedAnswer> {
  const first = await asked(ask, { messages }, signal);
  const heard = messages.flatMap((message) => (message.role === 'user' ? textsOf(message.parts) : []));
  const read = readAnswer(first, heard);
  if ('value' in read) return read.value;
  const again = [...messages, ...faultMessages(first, read.fault)];
  const isUsable = (answer: ModelAnswer) => 'value' in readAnswer(answer, heard);
  const second = readAnswer(await asked(ask, { messages: again, isUsable }, signal), heard);
  if ('value' in second) return second.value;
  throw new MeasurementError(
    `the simulated user gave no usable message in two attempts: ${second.fault.what}`,
    {
      stage: 'user',
      kind: 'simulator',
      detail: second.fault.detail,
      hint: 'use a more capable model for `user` in the config',
    },
  );
}

function textsOf(parts: readonly ModelPart[]): readonly string[] {
  return parts.flatMap((part) => ('text' in part ? [part.text] : []));
}

async function asked(
  ask: SimulatedUser['ask'],
  request: Pick<ModelRequest, 'messages' | 'isUsable'>,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  try {
    return await ask({ ...request, schema: ANSWER_SCHEMA }, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BudgetSpent) throw error;
    if (isMalformedAnswer(error)) {
      const message = `the model of the simulated user gave an invalid answer: ${messageOf(error)}`;
      throw new MeasurementError(message, {
        stage: 'user',
        kind: 'simulator',
        detail: 'unavailable',
        cause: error,
      });
    }
    throw new MeasurementError(`the model of the simulated user could not be reached: ${messageOf(error)}`, {
      stage: 'user',
      kind: 'simulator',
      detail: 'unavailable',
      hint: error instanceof MeasurementError ? error.hint : undefined,
      cause: error,
    });
  }
}

function faultMessages({ text }: ModelAnswer, fault: AnswerFault): readonly ModelMessage[] {
  const said = [fault.what, ...(fault.advice === undefined ? [] : [fault.advice])].join('; ');
  const words = `(That could not be used: ${said}. Answer again with one JSON object.)`;
  return [
    { role: 'assistant', text: text.trim() === '' ? '(nothing)' : text },
    { role: 'user', parts: [{ text: words }] },
  ];
}

function turnOf({ message, done, reason, note }: SimulatedAnswer, found: readonly Finding[]): UserTurn {
  const remark = note === null || note.trim() === '' ? [] : [`note of the user: ${note}`];
  const notes = [...remark, ...found.map(({ flag, about }) => `${flag}: ${about}`)];
  return {
    ...(message === null ? {} : { message: { parts: [{ text: message }] } }),
    ...(done ? { done: reason === null ? {} : { reason } } : {}),
    ...(notes.length === 0 ? {} : { note: notes.join('\n') }),
    ...(found.length === 0 ? {} : { flags: [...new Set(found.map(({ flag }) => flag))] }),
  };
}

function refused(found: readonly Finding[]): MeasurementError {
  const words = found.map(({ flag, about }) => `${flag}, ${about}`).join('; ');
  return new MeasurementError(`the simulated user broke its rules: ${words}`, {
    stage: 'user',
    kind: 'simulator',
    detail: 'audit',
    hint: 'read the messages of the user; with `audit: report`, such trials are graded as usual and only get a flag',
  });
}
