import * as z from 'zod';

import type { Evidence, Finding, Subject } from '../core/grade.ts';
import type { GraderPlugin } from '../core/plugin.ts';
import { toolCalls } from '../core/transcript.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { callShown } from './call-spec.ts';
import { matchCalls, type CallFinding, type MadeCall } from './conversation/match-calls.ts';
import { deciding } from './deciding.ts';
import { observed } from './excerpt.ts';

export const expectedCalls = z.lazy(() =>
  z.array(
    z.strictObject({
      tool: z.string().min(1),
      expected_params: z.custom<JsonObject>(isObject).nullable().default(null),
    }),
  ),
);

const config = z.lazy(() =>
  z.strictObject({
    calls: expectedCalls.describe(
      'Calls that must be made, in any order; an empty list: no tool may be called.',
    ),
  }),
);

/** Grades the expected tool calls of a stored case with code. */
export const expectedToolCalls: GraderPlugin<z.infer<typeof config>> = {
  type: 'expected_tool_calls',
  version: 1,
  summary: 'The expected tool calls of a stored case were made.',
  config,
  demands: ({ calls }) => ({
    scored: calls.length === 0 ? 'the agent calls no tool' : 'the agent makes each expected tool call',
  }),
  create: ({ calls }, services) =>
    deciding((subject) => {
      const made = madeCalls(subject);
      if (calls.length > 0) return decided(matchCalls(calls, made), made);
      const tools = services.agentOf?.(subject).tools ?? [];
      const ending = new Set(tools.flatMap(({ name, terminating }) => (terminating === true ? [name] : [])));
      return noneOf(made.filter(({ name }) => !ending.has(name)));
    }),
};

/** The tool calls of a conversation with their turns. */
export function madeCalls({ transcript }: Pick<Subject, 'transcript'>): readonly MadeCall[] {
  return toolCalls(transcript).map(({ call: { name, input, turn } }) => ({ name, input, turn }));
}

function decided(findings: readonly CallFinding[], made: readonly MadeCall[]): Finding {
  const missed = findings.filter(({ finding }) => finding !== 'met');
  const details = { findings: findings.map((each): JsonObject => ({ ...each })) };
  const evidence = findings.map(evidenceOf);
  const met = `${findings.length - missed.length} of ${findings.length} expected tool calls were made`;
  if (missed.length === 0) return { score: 1, reason: met, evidence, details };
  const told = missed.map((each) => evidenceOf(each).text).join('; ');
  return { score: 0, reason: `${met}: ${told}. Observed tool calls: ${shownCalls(made)}`, evidence, details };
}

function noneOf(made: readonly MadeCall[]): Finding {
  if (made.length === 0) return { score: 1, reason: 'no tool was called, as expected' };
  const evidence = made.map(({ name, input, turn }): Evidence => ({
    text: callShown(name, input),
    passed: false,
    turns: [turn],
  }));
  return { score: 0, reason: `expected no tool call, found ${shownCalls(made)}`, evidence };
}

function evidenceOf(found: CallFinding): Evidence {
  const { tool, expected_params: params } = found;
  const call = callShown(tool, params ?? undefined);
  switch (found.finding) {
    case 'met':
      return { text: `${call}: met`, passed: true, turns: [found.turn] };
    case 'other-parameters': {
      const differs = found.paths.map((path) => (path === '' ? 'the arguments as a whole' : path)).join(', ');
      return {
        text: `${call}: called with other parameters (${differs})`,
        passed: false,
        turns: [found.turn],
      };
    }
    case 'not-called':
      return { text: `${call}: not called`, passed: false };
    default:
      return found satisfies never;
  }
}

function shownCalls(made: readonly MadeCall[]): string {
  return observed(made.map(({ name, input }) => callShown(name, input)));
}
