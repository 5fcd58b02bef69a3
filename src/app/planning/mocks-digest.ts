import type { PlannedFault, TestCase, ToolMock } from '../../core/test-case.ts';
import { digestOf } from '../../lib/digest.ts';
import type { Handlers } from '../running/machine.ts';
import { handlersOf } from '../running/tools-of-case.ts';

/** Of what tools answer, where the digest that a case brings itself leaves it out. */
export function mocksDigest(testCase: TestCase, handlers: Handlers): string | undefined {
  const answers = answersOf(testCase, handlers);
  return answers && mocksDigestOf(answers);
}

/** Prepared answers and planned faults of a case that brings a digest of its own. */
export function answersOf(testCase: TestCase, handlers: Handlers) {
  const { digest, mocks, faults } = testCase;
  if (digest === undefined || (mocks === undefined && faults === undefined)) return undefined;
  return { mocks, faults, worlds: worldsOf(testCase, handlers) };
}

/** The digest of prepared answers, of planned faults and of the code behind them. */
export function mocksDigestOf(answers: {
  readonly mocks?: readonly ToolMock[] | undefined;
  readonly faults?: readonly PlannedFault[] | undefined;
  readonly worlds?: readonly (string | undefined)[] | undefined;
}): string {
  return digestOf(answers);
}

/** The code behind mocks, by content. */
export function worldsOf(
  testCase: Pick<TestCase, 'mocks'>,
  handlers: Handlers,
): readonly (string | undefined)[] | undefined {
  const worlds = new Set(handlersOf(testCase).map((name) => handlers.get(name)?.digest));
  return worlds.size === 0 ? undefined : [...worlds];
}
