// A thread that runs checks, one at a time. It answers requests of check-pool.ts.
import assert from 'node:assert/strict';
import { parentPort } from 'node:worker_threads';
import { runInThisContext } from 'node:vm';

import { importIntoOwnProcess } from '../../lib/modules/import-module.ts';
import { readAnswer, readThrown, type CheckSaid } from './check-answer.ts';
import type { CheckFacts, CheckInput } from './check-input.ts';
import type { CheckRequest } from './check-pool.ts';
import { functionSource, NAMES } from './check-source.ts';

type Check = (input: CheckInput) => unknown;

const known = new Map<string, Check>();

parentPort?.on('message', async (request: CheckRequest) => tell({ said: await saidBy(request) }));

async function saidBy({ check, facts }: CheckRequest): Promise<CheckSaid> {
  try {
    const run = await checkOf(check);
    // To load a module may take long, and only the first time: that does not count.
    tell({ began: true });
    return readAnswer(await run(inputOf(facts)));
  } catch (error) {
    return readThrown(error);
  }
}

async function checkOf(check: CheckRequest['check']): Promise<Check> {
  const key = 'path' in check ? `file ${check.path}` : `text ${check.text}`;
  const made = known.get(key) ?? ('path' in check ? await moduleCheck(check.path) : textCheck(check.text));
  known.set(key, made);
  return made;
}

async function moduleCheck(path: string): Promise<Check> {
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
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answer);
}
