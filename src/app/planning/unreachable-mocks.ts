import { problemAt } from '../../authoring/config/locate.ts';
import type { Problem } from '../../core/problem.ts';
import type { ToolMock } from '../../core/test-case.ts';
import { given } from '../../lib/given.ts';
import { differingPaths } from '../../lib/json.ts';
import type { Mocked, MockedWith } from './world-faults.ts';

/** Warnings about mocks that can never answer: of targets, and of the first case with the same list of mocks. */
export function shadowedMocks(
  cases: readonly Mocked[],
  { used, loaded }: Pick<MockedWith, 'used' | 'loaded'>,
): readonly Problem[] {
  const told = new Map<string, Problem>();
  for (const { id, source, mocks = [] } of cases) {
    const { file = '', line } = source ?? {};
    for (const shadowed of unreachableMocks(mocks)) {
      const finding = { ...wordsOf(shadowed), file, ...given({ line }) };
      const key = `${file} ${finding.message}`;
      if (!told.has(key)) told.set(key, { ...finding, message: `test "${id}": ${finding.message}` });
    }
  }
  const ofTargets = [...used].flatMap(([name, { settings }]) =>
    unreachableMocks(settings.mocks ?? []).map((shadowed) => {
      const path = ['mocks', shadowed.position - 1];
      const entry = loaded.written.get(name);
      const place = entry?.place(path) ?? ['targets', name, ...path];
      return problemAt(entry?.origin ?? loaded.origin, { ...wordsOf(shadowed), path: place, at: 'value' });
    }),
  );
  return [...ofTargets, ...told.values()];
}

function wordsOf({ tool, position, by }: Shadowed) {
  return {
    code: 'mock-shadowed' as const,
    message: `mock ${position} of the tool "${tool}" can never answer: mock ${by} takes all its calls`,
    hint: `put mock ${position} before mock ${by}, or limit mock ${by} with \`times\``,
  };
}

/** A mock that can never answer, because an earlier one takes all its calls without a limit. */
export interface Shadowed {
  readonly tool: string;
  /** Position in the list, from 1. */
  readonly position: number;
  /** Position of the earlier mock. */
  readonly by: number;
}

export function unreachableMocks(mocks: readonly ToolMock[]): readonly Shadowed[] {
  return mocks.flatMap((mock, index): readonly Shadowed[] => {
    const by = mocks.slice(0, index).findIndex((earlier) => takesAllOf(earlier, mock));
    return by < 0 ? [] : [{ tool: mock.tool, position: index + 1, by: by + 1 }];
  });
}

/** Whether one mock takes every call that the other would take. */
function takesAllOf(earlier: ToolMock, later: ToolMock): boolean {
  if (earlier.tool !== later.tool || earlier.times !== undefined) return false;
  if (earlier.match === 'any') return true;
  if (later.match === 'any' || (earlier.match === 'exact' && later.match !== 'exact')) return false;
  // The expected input is the smallest call that a mock takes. All others only have more keys.
  return differingPaths(earlier.params ?? {}, later.params ?? {}, earlier.match).length === 0;
}
