import type { JsonObject } from '../lib/json.ts';
import type { Message, UserMessage } from './message.ts';
import type { Transcript } from './transcript.ts';

/** What the user does next. A message together with `done` is still answered. */
export interface UserTurn {
  readonly message?: UserMessage;
  readonly done?: { readonly reason?: string };
  readonly note?: string;
  /** Findings of an audit in this turn. */
  readonly flags?: readonly string[];
}

/** The other side of a conversation. */
export interface User {
  readonly speaksFirst: boolean;
  next(transcript: Transcript, signal: AbortSignal): Promise<UserTurn>;
}

/** The user's side of a case, if it is more than the last message of its input. */
export type UserPlan = ScriptedPlan | SimulatedPlan;

/** Messages that are sent one after the other; the case's input is history. */
export interface ScriptedPlan {
  readonly type: 'scripted';
  readonly messages: readonly UserMessage[];
}

/** A person played by a model. A last user message in the input is its first message. */
export interface SimulatedPlan {
  readonly type: 'simulated';
  /** Absent: an ordinary person who needs help. */
  readonly persona?: Persona;
  /** The goal of the person. */
  readonly goals?: readonly string[];
  /** What the person knows; the author chooses the keys. */
  readonly context?: JsonObject;
}

/** A description of the person; blank texts are ignored. */
export interface Persona {
  readonly type?: string;
  readonly description?: string;
  readonly instructions?: string;
}

/** The part of a case that decides how a conversation begins. */
export interface Beginning {
  readonly input: readonly Message[];
  readonly user?: UserPlan;
}

/** Messages before the conversation, and the scripted first message of the user. */
export function openingOf({ input, user }: Beginning): {
  readonly history: readonly Message[];
  readonly line?: UserMessage;
} {
  const last = input.at(-1);
  if (user?.type === 'scripted' || last?.role !== 'user') return { history: input };
  return { history: input.slice(0, -1), line: { parts: last.parts } };
}

/** The first message of the user, if it is scripted. */
export function firstLine(testCase: Beginning): UserMessage | undefined {
  return testCase.user?.type === 'scripted' ? testCase.user.messages[0] : openingOf(testCase).line;
}

/** Whether a conversation may have a second message of the user. */
export function mayGoOn(testCase: Beginning, maxTurns: number | null): boolean {
  if (maxTurns === 1 || testCase.user === undefined) return false;
  return testCase.user.type === 'simulated' || testCase.user.messages.length > 1;
}

/** Whether a conversation may need a message that is not scripted. */
export function mayImprovise(testCase: Beginning, maxTurns: number | null): boolean {
  if (testCase.user?.type !== 'simulated') return false;
  return maxTurns !== 1 || testCase.input.at(-1)?.role !== 'user';
}
