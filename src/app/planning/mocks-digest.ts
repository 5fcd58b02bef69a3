import type { PlannedFault, TestCase, ToolMock } from '../../core/test-case.ts';
import { digestOf } from '../../lib/digest.ts';
import type { WorldsByTool } from '../binding/machine.ts';
import { handlersOf } from '../binding/tools-of-case.ts';

/** The digest of mocks and faults, for cases whose own digest does not cover them. */
export function mocksDigest(testCase: TestCase, worldsByTool: WorldsByTool): string | undefined {
  const answers = answersOf(testCase, worldsByTool);
  return answers && mocksDigestOf(answers);
}

/** Mocks and faults of a case with a digest of its own. */
export function answersOf(testCase: TestCase, worldsByTool: WorldsByTool) {
  const { digest, mocks, faults } = testCase;
  if (digest === undefined || (mocks === undefined && faults === undefined)) return undefined;
  return { mocks, faults, worlds: worldsOf(testCase, worldsByTool) };
}

/** The digest of mocks, faults and the code behind them. */
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
  worldsByTool: WorldsByTool,
): readonly (string | undefined)[] | undefined {
  const worlds = new Set(handlersOf(testCase).map((name) => worldsByTool.get(name)?.digest));
  return worlds.size === 0 ? undefined : [...worlds];
}
