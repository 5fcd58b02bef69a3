import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { differingPaths, isObject } from '../../lib/json.ts';

import { bestPairs } from '../best-matching.ts';

/** A call that a case expects; without parameters, or with none listed, any arguments do. */
export interface ExpectedCall {
  readonly tool: string;
  readonly expected_params: JsonObject | null;
}

/** A call that happened. */
export interface MadeCall {
  readonly name: string;
  readonly input: JsonValue;
  readonly turn: number;
}

/** What became of an expected call. */
export type CallFinding = { readonly tool: string; readonly expected_params: JsonObject | null } & (
  | { readonly finding: 'met'; readonly turn: number }
  /** The nearest call of that tool which meets no other expectation, and where it differs. */
  | { readonly finding: 'other-parameters'; readonly turn: number; readonly paths: readonly string[] }
  | { readonly finding: 'not-called' }
);

/**
 * Gives as many expected calls as possible a call of their own, in any order; what is left over gets the call of its
 * tool that comes nearest, each call once.
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

/** More than a near call can be worth, so that no number of them outweighs one that is met. */
const MOST_NEAR = 1000;

/** Where the arguments differ; undefined: another tool. */
function distance({ tool, expected_params }: ExpectedCall, call: MadeCall): readonly string[] | undefined {
  if (call.name !== tool) return undefined;
  if (expected_params === null || Object.keys(expected_params).length === 0) return [];
  return isObject(call.input) ? differingPaths(expected_params, call.input, 'partial') : [''];
}
