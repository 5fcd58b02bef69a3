import * as z from 'zod';

import { verdictFinding, type Finding, type Subject } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { callKeys, callMatcher, callShown, observedCalls, type CallSpec } from './call-spec.ts';
import { deciding } from './deciding.ts';
import { observed } from './excerpt.ts';

const calls = z.lazy(() => z.array(z.strictObject(callKeys)));

const config = z.lazy(() =>
  z
    .strictObject({
      called: calls
        .unwrap()
        .min(1)
        .optional()
        .describe('Calls that must be made at least once, with at least the listed arguments.'),
      not_called: calls.unwrap().min(1).optional().describe('Calls that must not be made.'),
      only: calls.optional().describe('The only allowed calls; an empty list: no tool may be called.'),
    })
    .refine(({ called, not_called, only }) => (called ?? not_called ?? only) !== undefined, {
      error: 'give `called`, `not_called` or `only`',
    }),
);

type Config = z.infer<typeof config>;

export const toolCalls: GraderPlugin<Config> = {
  type: 'tool_calls',
  version: 1,
  summary: 'Checks which tools were called, and with which arguments.',
  config,
  create: (options) => deciding((subject) => decide(subject, options)),
};

function decide(subject: Subject, { called = [], not_called = [], only }: Config): Finding {
  const made = observedCalls(subject.transcript).map(({ call }) => call);
  const madeBy = (spec: CallSpec) => made.filter(callMatcher(spec, 'superset'));
  const allowed = only?.map((spec) => callMatcher(spec, 'superset'));
  const stray = allowed === undefined ? [] : made.filter((call) => !allowed.some((fits) => fits(call)));
  const shownCalls = (list: typeof made) => observed(list.map(({ name, input }) => callShown(name, input)));
  const problems = [
    ...called
      .filter((spec) => madeBy(spec).length === 0)
      .map(({ tool, args }) => `expected a call of ${callShown(tool, args)}`),
    ...not_called
      .filter((spec) => madeBy(spec).length > 0)
      .map(
        (spec) => `expected no call of ${callShown(spec.tool, spec.args)}, found ${shownCalls(madeBy(spec))}`,
      ),
    ...(stray.length === 0 ? [] : [`expected no other calls, found ${shownCalls(stray)}`]),
  ];
  if (problems.length === 0) return verdictFinding(true, 'the tool calls are as expected');
  return verdictFinding(false, `${problems.join('; ')}. Observed tool calls: ${shownCalls(made)}`);
}
