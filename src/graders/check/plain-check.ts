import { remembering } from '../../lib/text/remembering.ts';
import { readAnswer, readThrown, type CheckSaid } from './check-answer.ts';
import type { CheckFacts } from './check-input.ts';
import { compiledCheck, inputOf, type Check } from './compiled-check.ts';
import { isPlainExpression } from './plain-expression.ts';

/** Whether nothing in a check could take long or change anything, so that it may run in this thread. */
export function isPlain(text: string): boolean {
  return plain(text).check !== undefined;
}

/** The answer of such a check. Undefined for other checks, and for a very long answer of the agent. */
export async function plainAnswer(text: string, facts: CheckFacts): Promise<CheckSaid | undefined> {
  const { check } = plain(text);
  if (check === undefined || facts.output.length > MOST_CHARACTERS) return undefined;
  try {
    return readAnswer(await check(inputOf(facts)));
  } catch (error) {
    return readThrown(error);
  }
}

/** Longer answers are left to a thread, which has a time limit: `output.includes(text)` can take the product of both lengths. */
const MOST_CHARACTERS = 100_000;

const plain = remembering(512, (text): { readonly check?: Check } =>
  isPlainExpression(text) ? { check: compiledCheck(text) } : {},
);
