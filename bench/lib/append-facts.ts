import type { Emitted } from '../../src/core/run.ts';
import { trialKey } from '../../src/core/trial.ts';
import { createRedactor } from '../../src/lib/redact/redact.ts';
import { TALLY_FOLD } from '../../src/reading/row-fold.ts';
import { serverDatabase } from '../../src/storage/database/server-database.ts';
import { databaseRuns } from '../../src/storage/database/runs/store.ts';
import {
  AT,
  attemptOf,
  ended,
  manifestOf,
  of,
  rowOf,
} from '../../src/storage/run-directory/fixtures/runs.ts';

/** Appends `trials` trials of ten facts, each fact on its own, `parallel` trials at a time. Returns facts a second. */
export async function appendFacts(url: string, trials: number, parallel: number): Promise<number> {
  const database = await serverDatabase(url);
  const store = databaseRuns({ database, folder: '/', fold: TALLY_FOLD });
  const redactor = createRedactor({ environment: {} });
  const run = await store.create({
    startedAt: Date.parse(AT),
    redactor,
    manifest: (id) => manifestOf({ id, state: 'running' }),
  });
  const log = run.openLog(0);
  const startedAt = performance.now();
  let next = 0;
  let facts = 0;
  const work = async (): Promise<void> => {
    while (next < trials) {
      const told = factsOf((next += 1));
      for (const fact of told) await log.append([fact]);
      facts += told.length;
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  const seconds = (performance.now() - startedAt) / 1000;
  log.close();
  await run.release();
  await database.close();
  return facts / seconds;
}

function factsOf(number: number): readonly Emitted[] {
  const caseId = `case-${number}`;
  const row = rowOf(caseId, { number });
  const trial = trialKey(row);
  const texts = Array.from({ length: 6 }, (_, turn) => `Answer ${turn} of ${caseId}. ${'x'.repeat(300)}`);
  return [of(caseId, { type: 'trial-start', number }), ...attemptOf(caseId, 1, texts), ended(row)].map(
    (emitted) => ({ ...emitted, trial }),
  );
}
