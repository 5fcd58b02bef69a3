import { BudgetSpent, MeasurementError, messageOf } from '../core/errors.ts';
import { textOf, type Message, type UserMessage } from '../core/message.ts';
import type { ModelAnswer, ModelMessage, ModelPart, ModelRequest } from '../core/model.ts';
import type { SimulatedPlan, User, UserTurn } from '../core/user.ts';
import { ANSWER_SCHEMA, readAnswer, type AnswerFault, type SimulatedAnswer } from './answer.ts';
import { createAudit, type AuditedTurn } from './audit.ts';
import { earlierTurns, flippedHistory, turnsOf } from './history.ts';
import { simulatorPrompt } from './simulator-prompt.ts';

/** What a simulated user is made of. */
export interface SimulatedUser {
  readonly plan: SimulatedPlan;
  /** What was said before the conversation. */
  readonly history: readonly Message[];
  /** Its first line, where that is written down. */
  readonly line?: UserMessage;
  readonly firstSpeaker: 'user' | 'agent';
  readonly audit: AuditMode;
  /** Asks the model that plays it, and counts what that costs. */
  readonly ask: (
    request: Pick<ModelRequest, 'messages' | 'schema' | 'isUsable'>,
    signal: AbortSignal,
  ) => Promise<ModelAnswer>;
  /** A second opinion on a turn, by another model. */
  readonly judge?: (turn: AuditedTurn, signal: AbortSignal) => Promise<readonly Finding[]>;
}

/** What an audit finds leads to nothing, to flags on the trial, or to an errored trial. */
export type AuditMode = 'off' | 'report' | 'enforce';

/** A flag, and what was seen, for people. */
export interface Finding {
  readonly flag: string;
  readonly about: string;
}

/** A user that a model plays; what is expected of the agent never reaches it. */
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

/** What the judge's model finds; where flags are only reported, an auditor that fails is one more of them. */
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

/** One answer, and one more when the first cannot be used. */
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
  throw new MeasurementError(`the simulated user gave no usable line, twice: ${second.fault.message}`, {
    stage: 'user',
    kind: 'simulator',
    detail: second.fault.detail,
    hint: 'let a more capable model play the user (`user` in the config)',
  });
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
    throw new MeasurementError(`the model that plays the user could not be asked: ${messageOf(error)}`, {
      stage: 'user',
      kind: 'simulator',
      detail: 'unavailable',
      hint: error instanceof MeasurementError ? error.hint : undefined,
      cause: error,
    });
  }
}

function faultMessages({ text }: ModelAnswer, fault: AnswerFault): readonly ModelMessage[] {
  const words = `(That could not be used: ${fault.message}. Answer again with one JSON object.)`;
  return [
    { role: 'assistant', text: text.trim() === '' ? '(nothing)' : text },
    { role: 'user', parts: [{ text: words }] },
  ];
}

function turnOf({ message, done, reason, note }: SimulatedAnswer, found: readonly Finding[]): UserTurn {
  const remark = note === null || note.trim() === '' ? [] : [`the user remarks: ${note}`];
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
  return new MeasurementError(`the simulated user did not keep to its part: ${words}`, {
    stage: 'user',
    kind: 'simulator',
    detail: 'audit',
    hint: 'look at its lines; `audit: report` keeps the verdict and shows the flags',
  });
}
