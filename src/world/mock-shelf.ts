import type { ToolMock } from '../core/test-case.ts';
import { differingPaths, isObject, type JsonValue } from '../lib/json.ts';

/** The mocks of one attempt, in order, with their remaining uses. */
export interface MockShelf {
  /** Takes the first mock that matches the call and has uses left. */
  take(tool: string, input: JsonValue): ToolMock | undefined;
  /** Up to three mocks of the tool that are most similar. */
  nearest(tool: string, input: JsonValue): readonly NearMock[];
}

/** A mock that did not answer. */
export interface NearMock {
  /** Its place in the list, from 1. */
  readonly position: number;
  /** Paths at which the call differs; empty when the mock is used up. */
  readonly paths: readonly string[];
}

export function mockShelf(mocks: readonly ToolMock[]): MockShelf {
  const uses = mocks.map(({ times }) => times ?? Infinity);
  return {
    take(tool, input) {
      const found = mocks.findIndex(
        (mock, i) => mock.tool === tool && (uses[i] ?? 0) > 0 && differencesTo(mock, input).length === 0,
      );
      if (found < 0) return undefined;
      uses[found] = (uses[found] ?? 0) - 1;
      return mocks[found];
    },
    nearest: (tool, input) =>
      mocks
        .flatMap((mock, i): NearMock[] =>
          mock.tool === tool ? [{ position: i + 1, paths: differencesTo(mock, input) }] : [],
        )
        .toSorted((a, b) => a.paths.length - b.paths.length)
        .slice(0, 3),
  };
}

/** Arguments that are not a mapping match only `any`. */
function differencesTo({ match, params = {} }: ToolMock, input: JsonValue): readonly string[] {
  if (match === 'any') return [];
  return isObject(input) ? differingPaths(params, input, match) : [''];
}
