// A thread that runs checks, one at a time. It answers requests of check-pool.ts.
import assert from 'node:assert/strict';
import { stderr, stdout } from 'node:process';
import { parentPort } from 'node:worker_threads';
import { runInThisContext } from 'node:vm';

import { readAnswer, readThrown, type CheckSaid } from './check-answer.ts';
import type { CheckFacts, CheckInput } from './check-input.ts';
import { keyOf, type CheckRequest } from './check-request.ts';
import { functionSource, NAMES } from './check-source.ts';

type Check = (input: CheckInput) => unknown;

const known = new Map<string, Check>();

for (const stream of [stdout, stderr]) stream.write = drop;

/** Of the check before, which may be waiting for something. */
let last = Promise.resolve();
parentPort?.on('message', (request: CheckRequest) => {
  last = last.then(async () => tell({ said: await saidBy(request) }));
});

async function saidBy({ check, facts }: CheckRequest): Promise<CheckSaid> {
  try {
    const run = known.get(keyOf(check)) ?? (await loaded(check));
    return readAnswer(await run(inputOf(facts)));
  } catch (error) {
    return readThrown(error);
  }
}

/** To load a module may take long, and only the first time: the pool does not count that. */
async function loaded(check: CheckRequest['check']): Promise<Check> {
  const made = 'path' in check ? await moduleCheck(check.path) : textCheck(check.text);
  known.set(keyOf(check), made);
  tell({ began: true });
  return made;
}

async function moduleCheck(path: string): Promise<Check> {
  // Most checks are texts, which need no loader.
  const { importIntoOwnProcess } = await import('../../lib/modules/import-module.ts');
  const { default: check } = await importIntoOwnProcess(path);
  if (typeof check === 'function') return check as Check;
  throw new TypeError(`${path} has no check: write export default defineCheck((input) => true)`);
}

function textCheck(text: string): Check {
  const run = runInThisContext(functionSource(text), { filename: 'check' }) as (
    ...values: unknown[]
  ) => unknown;
  return (input) => {
    const values: Readonly<Record<string, unknown>> = { ...input, assert };
    return run(...NAMES.map((name) => values[name]));
  };
}

function inputOf(facts: CheckFacts): CheckInput {
  const calls = (tool?: string): number =>
    facts.toolCalls.filter((call) => tool === undefined || call.tool === tool).length;
  return { ...facts, calls };
}

function tell(answer: { readonly began: true } | { readonly said: CheckSaid }): void {
  parentPort?.postMessage(answer);
}

/** Output of checks goes nowhere, so that the output of assay stays its own. */
function drop(...given: readonly unknown[]): boolean {
  const written = given.find((each) => typeof each === 'function');
  if (written !== undefined) queueMicrotask(written as () => void);
  return true;
}
