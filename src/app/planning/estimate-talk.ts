import { openingOf } from '../../core/user.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { UserChoice } from '../binding/choose-user.ts';

/** Expected length of a conversation. */
export interface ExpectedTalk {
  /** Turns of the agent. */
  readonly turns: number;
  /** Calls of the model that plays the user. */
  readonly userCalls: number;
}

/** Assumed turns of a conversation without a limit. */
const USUAL_TURNS = 4;

/** Estimates the length from the written messages and the limit for turns. */
export function expectedTalk(
  testCase: Pick<TestCase, 'user' | 'input' | 'maxTurns'>,
  choice: UserChoice | undefined,
  maxTurns: number | null,
): ExpectedTalk {
  const { user } = testCase;
  const cap = Math.min(testCase.maxTurns ?? Infinity, maxTurns ?? Infinity);
  if (user === undefined) return { turns: 1, userCalls: 0 };
  const opening = openingOf(testCase).line === undefined ? 0 : 1;
  if (user.type === 'scripted' || choice?.type !== 'simulated') {
    const further = choice?.type === 'scripted' ? choice.messages.length : 0;
    const lines = user.type === 'scripted' ? user.messages.length : opening + further;
    return { turns: Math.min(Math.max(1, lines), cap), userCalls: 0 };
  }
  const turns = Math.min(USUAL_TURNS, cap);
  // Below the limit, the user must end the conversation, which takes one more call.
  return { turns, userCalls: turns - opening + (cap > turns ? 1 : 0) };
}

/** Input tokens if the whole conversation is sent again in each of `rounds` rounds. */
export function resentTokens(rounds: number, tokensOfRound: number): number {
  return (tokensOfRound * rounds * (rounds - 1)) / 2;
}
