import { runInThisContext } from 'node:vm';

import type { CheckContext, CheckFacts, CheckInput } from './check-input.ts';
import { functionSource, NAMES } from './check-source.ts';
import { readerOf } from './read-names.ts';

export type Check = (input: CheckInput) => unknown;

/** Compiles a check in a text, which then runs in this thread. Throws a SyntaxError. */
export function compiledCheck(text: string): Check {
  const run = runInThisContext(functionSource(text), { filename: 'check' }) as (
    ...values: unknown[]
  ) => unknown;
  // Loading it takes longer than most checks.
  const assert = readerOf(text)('assert') ? process.getBuiltinModule('node:assert/strict') : undefined;
  return (input) => {
    const values: Readonly<Record<string, unknown>> = { ...input, assert, context: contextOf(input) };
    return run(...NAMES.map((name) => values[name]));
  };
}

export function inputOf(facts: CheckFacts): CheckInput {
  const calls = (tool?: string): number =>
    facts.toolCalls.filter((call) => tool === undefined || call.tool === tool).length;
  return { ...facts, calls };
}

/** The second parameter of a check for promptfoo. */
export function contextOf(input: CheckInput): CheckContext {
  const { question, vars, metadata } = input;
  const own: CheckContext = { ...input, prompt: question, test: { vars, metadata } };
  return Object.assign(Object.create(NOT_HERE) as object, own);
}

/** What promptfoo has there and assay does not. Reading it must not give `undefined`, and so a wrong grade. */
const NOT_HERE = Object.defineProperties(
  {},
  Object.fromEntries(
    ['provider', 'providerResponse', 'logProbs', 'trace'].map((name) => [
      name,
      {
        get(): never {
          throw new TypeError(`assay does not have \`context.${name}\``);
        },
      },
    ]),
  ),
);
