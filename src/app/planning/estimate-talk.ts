import { openingOf } from '../../core/user.ts';
import type { TestCase } from '../../core/test-case.ts';
import type { UserChoice } from '../running/choose-user.ts';

/** How long a conversation is expected to be. */
export interface ExpectedTalk {
  /** Turns of the agent. */
  readonly turns: number;
  /** Asks of the model that plays the user. */
  readonly userCalls: number;
}

/** Turns of a conversation that nothing bounds. */
const USUAL_TURNS = 4;

/** From the lines that are written down and from the cap; what nothing bounds is taken as usual. */
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
  // Below the cap somebody has to say that it is over, which takes a call of its own.
  return { turns, userCalls: turns - opening + (cap > turns ? 1 : 0) };
}

/** Tokens that go in when a talk of so many rounds is sent whole again at every one of them. */
export function resentTokens(rounds: number, tokensOfRound: number): number {
  return (tokensOfRound * rounds * (rounds - 1)) / 2;
}
