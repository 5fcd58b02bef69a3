import type { ToolMock } from '../core/test-case.ts';
import { differingPaths, isObject, type JsonValue } from '../lib/json.ts';

/** The mocks of one attempt, in their order, and how often each was used. */
export interface MockShelf {
  /** The first that takes the call and has uses left; it is one use less then. */
  take(tool: string, input: JsonValue): ToolMock | undefined;
  /** Up to three mocks of the tool that come nearest. */
  nearest(tool: string, input: JsonValue): readonly NearMock[];
}

/** A mock that did not answer. */
export interface NearMock {
  /** Its place in the list, from 1. */
  readonly position: number;
  /** Where the call is not what it asks for; empty: it is used up. */
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

/** Arguments that are no mapping fit only `any`. */
function differencesTo({ match, params = {} }: ToolMock, input: JsonValue): readonly string[] {
  if (match === 'any') return [];
  return isObject(input) ? differingPaths(params, input, match) : [''];
}
