import { differingPaths, isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';

import { bestPairs } from '../best-matching.ts';

/** A tool call that a case expects; without parameters, or with an empty mapping, any arguments match. */
export interface ExpectedCall {
  readonly tool: string;
  readonly expected_params: JsonObject | null;
}

export interface MadeCall {
  readonly name: string;
  readonly input: JsonValue;
  readonly turn: number;
}

export type CallFinding = { readonly tool: string; readonly expected_params: JsonObject | null } & (
  | { readonly finding: 'met'; readonly turn: number }
  /** The most similar unused call of the same tool, and the paths that differ. */
  | { readonly finding: 'other-parameters'; readonly turn: number; readonly paths: readonly string[] }
  | { readonly finding: 'not-called' }
);

/**
 * Assigns actual calls to as many expected calls as possible, in any order. A missed expected call gets the most
 * similar call of its tool. Each call is used once.
 */
export function matchCalls(
  expected: readonly ExpectedCall[],
  made: readonly MadeCall[],
): readonly CallFinding[] {
  const distances = expected.map((wanted) => made.map((call) => distance(wanted, call)));
  const met = MOST_NEAR * (expected.length + 1);
  const pairs = bestPairs(expected.length, made.length, (row, column) => {
    const paths = distances[row]?.[column];
    if (paths === undefined) return 0;
    return paths.length === 0 ? met : Math.max(1, MOST_NEAR - paths.length);
  });
  const callOf = new Map(pairs);
  return expected.map(({ tool, expected_params }, row): CallFinding => {
    const column = callOf.get(row);
    const call = column === undefined ? undefined : made[column];
    if (column === undefined || call === undefined) return { tool, expected_params, finding: 'not-called' };
    const paths = distances[row]?.[column] ?? [];
    const { turn } = call;
    if (paths.length === 0) return { tool, expected_params, finding: 'met', turn };
    return { tool, expected_params, finding: 'other-parameters', turn, paths };
  });
}

/** Greater than the value of any number of similar calls, so that exact matches always win. */
const MOST_NEAR = 1000;

/** Paths of arguments that differ; undefined for another tool. */
function distance({ tool, expected_params }: ExpectedCall, call: MadeCall): readonly string[] | undefined {
  if (call.name !== tool) return undefined;
  if (expected_params === null || Object.keys(expected_params).length === 0) return [];
  return isObject(call.input) ? differingPaths(expected_params, call.input, 'partial') : [''];
}
