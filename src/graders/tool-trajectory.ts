import * as z from 'zod';

import type { Finding, Subject } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { round9 } from '../lib/text/decimals.ts';
import { bestPairs, bestSubsequence, type Pair, type Worth } from './best-matching.ts';
import { callKeys, callMatcher, callShown, observedCalls, type ObservedCall } from './call-spec.ts';
import { deciding } from './deciding.ts';
import { observed } from './excerpt.ts';

const config = z.lazy(() =>
  z
    .strictObject({
      mode: z
        .enum(['any_order', 'in_order', 'exact', 'superset', 'subset'])
        .describe(
          'How the score is computed. `any_order` and `superset`: share of expected calls that were made, in any order. `in_order`: share of expected calls that were made in this order. ' +
            '`exact`: number of calls that match at the same position, divided by the number of expected or actual calls, whichever is larger. ' +
            '`subset`: share of actual calls that were expected. Each entry of `minimums` and each `max_duration_ms` counts as one more check.',
        ),
      expected: z
        .array(
          z.strictObject({
            ...callKeys,
            max_duration_ms: z
              .number()
              .min(0)
              .optional()
              .describe('Maximum duration of this call in milliseconds; counts as one more check.'),
          }),
        )
        .optional()
        .describe('The expected calls; each matches one actual call.'),
      minimums: z
        .record(z.string(), z.int().min(1))
        .optional()
        .describe('Minimum number of calls by tool; each counts as one more check.'),
      args_match: z
        .union([z.enum(['exact', 'superset', 'subset', 'ignore']), z.array(z.string()).min(1)], {
          error: 'expected exact, superset, subset, ignore or a list of argument names',
        })
        .default('superset')
        .describe(
          'How arguments are compared. `exact`: they are equal. `superset`: the call has all listed arguments. `subset`: the call has no other arguments. `ignore`: they are not compared. A list: only these arguments are compared.',
        ),
    })
    .superRefine(({ mode, expected, minimums }, context) => {
      if (mode === 'exact' || mode === 'subset' ? expected !== undefined : (expected?.length ?? 0) > 0)
        return;
      if (mode === 'any_order' && Object.keys(minimums ?? {}).length > 0) return;
      const path = expected === undefined ? [] : ['expected'];
      const needs = mode === 'any_order' ? '`minimums` or `expected`' : '`expected`';
      context.addIssue({
        code: 'custom',
        path,
        message: `mode ${mode} needs ${needs}: nothing would be checked`,
      });
    }),
);

type Config = z.infer<typeof config>;
type Expected = NonNullable<Config['expected']>[number];

export const toolTrajectory: GraderPlugin<Config> = {
  type: 'tool_trajectory',
  version: 1,
  summary: 'The tool calls follow an expected trajectory.',
  config,
  create: (options) => deciding((subject) => follow(subject, options)),
};

function follow(subject: Subject, { mode, expected = [], minimums = {}, args_match }: Config): Finding {
  const actual = observedCalls(subject.transcript);
  const fits = expected.map((spec) => callMatcher(spec, args_match));
  const worth: Worth = (row, column) => {
    const [spec, made] = [expected[row], actual[column]];
    if (spec === undefined || made === undefined || fits[row]?.(made.call) !== true) return 0;
    return inTime(spec, made) ? 2 : 1;
  };
  const pairs = pairsOf(mode, [expected.length, actual.length], worth);
  const late = pairs.filter(
    ([row, column]) => worth(row, column) === 1 && expected[row]?.max_duration_ms !== undefined,
  );
  const timed = pairs.filter(([row]) => expected[row]?.max_duration_ms !== undefined).length;
  // A call that is not made cannot be too slow.
  const durations =
    mode === 'subset' ? timed : expected.filter((spec) => spec.max_duration_ms !== undefined).length;
  const short = Object.entries(minimums).filter(([tool, least]) => countOf(actual, tool) < least);
  const minimumsMet = Object.keys(minimums).length - short.length;
  const met = pairs.length + timed - late.length + minimumsMet;
  const all = baseOf(mode, expected.length, actual.length) + durations + Object.keys(minimums).length;
  const score = all === 0 ? 1 : round9(met / all);
  if (score === 1)
    return {
      score,
      reason: `the tool calls meet ${mode}: ${observed(
        actual.map(({ call }) => call.name),
        5,
      )}`,
    };
  const problems = [
    ...(mode === 'subset' ? [] : missing(expected, pairs)),
    ...(mode === 'exact' || mode === 'subset' ? unexpected(actual, pairs) : []),
    ...late.map(([row, column]) => lateShown(expected[row], actual[column])),
    ...short.map(([tool, least]) => `${tool} called ${countOf(actual, tool)} times, at least ${least}`),
  ];
  const reason = `${met} of ${all} (${mode}): ${problems.join('; ')}. Observed tool calls: ${observed(actual.map(callText))}`;
  return { score, reason };
}

function pairsOf(
  mode: Config['mode'],
  [rows, columns]: readonly [number, number],
  worth: Worth,
): readonly Pair[] {
  switch (mode) {
    case 'in_order':
      return bestSubsequence(rows, columns, worth);
    case 'exact':
      return Array.from({ length: Math.min(rows, columns) }, (_, at): Pair => [at, at]).filter(
        ([row, column]) => worth(row, column) > 0,
      );
    case 'any_order':
    case 'superset':
    case 'subset':
      return bestPairs(rows, columns, worth);
    default:
      return mode satisfies never;
  }
}

function baseOf(mode: Config['mode'], expected: number, actual: number): number {
  if (mode === 'exact') return Math.max(expected, actual);
  return mode === 'subset' ? actual : expected;
}

function inTime({ tool, max_duration_ms: most }: Expected, made: ObservedCall): boolean {
  if (most === undefined || made.end === undefined) return false;
  const { durationMs } = made.end;
  if (durationMs !== undefined) return durationMs <= most;
  throw new Error(
    `the duration of the call of ${made.call.name} is unknown, so \`max_duration_ms\` of ${tool} cannot be checked; ` +
      'remove it for this target, or make the target report durations',
  );
}

function missing(expected: readonly Expected[], pairs: readonly Pair[]): readonly string[] {
  const found = new Set(pairs.map(([row]) => row));
  const absent = expected.flatMap(({ tool, args }, row) =>
    found.has(row) ? [] : [`#${row + 1} ${callShown(tool, args)}`],
  );
  return absent.length === 0 ? [] : [`missing ${observed(absent, 5)}`];
}

function unexpected(actual: readonly ObservedCall[], pairs: readonly Pair[]): readonly string[] {
  const found = new Set(pairs.map(([, column]) => column));
  const extra = actual.flatMap((made, column) =>
    found.has(column) ? [] : [`#${column + 1} ${callText(made)}`],
  );
  return extra.length === 0 ? [] : [`not expected ${observed(extra, 5)}`];
}

function lateShown(spec: Expected | undefined, made: ObservedCall | undefined): string {
  const took = made?.end?.durationMs === undefined ? 'did not end' : `took ${made.end.durationMs} ms`;
  return `${made?.call.name} ${took}, at most ${spec?.max_duration_ms} ms`;
}

function countOf(actual: readonly ObservedCall[], tool: string): number {
  return actual.filter(({ call }) => call.name === tool).length;
}

function callText({ call }: ObservedCall): string {
  return callShown(call.name, call.input);
}
