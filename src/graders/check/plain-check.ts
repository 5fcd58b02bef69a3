import { remembering } from '../../lib/text/remembering.ts';
import { readAnswer, readThrown, type CheckSaid } from './check-answer.ts';
import type { CheckFacts } from './check-input.ts';
import { compiledCheck, inputOf } from './compiled-check.ts';
import { isPlainExpression } from './plain-expression.ts';

/** Runs a check in this thread, if nothing in it could take long or change anything. Undefined for other checks. */
export async function plainAnswer(text: string, facts: CheckFacts): Promise<CheckSaid | undefined> {
  if (facts.output.length > MOST_CHARACTERS) return undefined;
  const { check } = known(text);
  if (check === undefined) return undefined;
  try {
    return readAnswer(await check(inputOf(facts)));
  } catch (error) {
    return readThrown(error);
  }
}

/** Longer answers are left to a thread, which has a time limit. */
const MOST_CHARACTERS = 1_000_000;

const known = remembering(
  512,
  (text) =>
    (isPlainExpression(text) ? { check: compiledCheck(text) } : {}) as {
      check?: ReturnType<typeof compiledCheck>;
    },
);
