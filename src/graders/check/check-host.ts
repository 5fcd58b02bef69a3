// A thread that runs checks, one at a time. It answers requests of check-pool.ts.
import { stderr, stdout } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';

import { readAnswer, readThrown, type CheckSaid } from './check-answer.ts';
import { checkOfModule } from './check-of-module.ts';
import { keyOf, type CheckRequest } from './check-request.ts';
import { checkTurns } from './check-turns.ts';
import type { PlacedRequest } from './check-worker.ts';
import { compiledCheck, inputOf, type Check } from './compiled-check.ts';

const known = new Map<string, Check>();
const turns = checkTurns(workerData as SharedArrayBuffer);

for (const stream of [stdout, stderr]) stream.write = drop;

/** Of the check before, which may be waiting for something. */
let last = Promise.resolve();
parentPort?.on('message', ({ request, place }: PlacedRequest) => {
  last = last.then(async () =>
    tell(turns.begin(place) ? { said: await saidBy(request) } : { withdrawn: true }),
  );
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
  const made = 'path' in check ? await moduleCheck(check.path) : compiledCheck(check.text);
  known.set(keyOf(check), made);
  tell({ began: true });
  return made;
}

async function moduleCheck(path: string): Promise<Check> {
  // Most checks are texts, which need no loader.
  const { importIntoOwnProcess } = await import('../../lib/modules/import-module.ts');
  return checkOfModule(path, await importIntoOwnProcess(path));
}

type Told = { readonly began: true } | { readonly said: CheckSaid } | { readonly withdrawn: true };

function tell(answer: Told): void {
  parentPort?.postMessage(answer);
}

/** Output of checks goes nowhere, so that the output of assay stays its own. */
function drop(...given: readonly unknown[]): boolean {
  const written = given.find((each) => typeof each === 'function');
  if (written !== undefined) queueMicrotask(written as () => void);
  return true;
}
