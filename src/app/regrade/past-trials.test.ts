import { expect, test } from 'vitest';

import { caseOf } from '../../engine/fixtures/suites.ts';
import { rowOf } from '../../storage/run-directory/fixtures/runs.ts';
import { pastTrial, type PastReading } from './past-trials.ts';

test('the state of the tools comes from the store if another machine has the folder of the attempt', async () => {
  const world = { shop: { state: { orders: 2 } } };
  const bytes = Buffer.from(JSON.stringify(world));
  const asked: unknown[] = [];
  const reading: PastReading = {
    caseOf: () => caseOf('order', {}),
    digestsOf: () => ({ case: 0, graders: [] }),
    carried: (digest) => digest,
    moved: (row) => row,
    placeOf: (name) => `/nowhere/${name}`,
    artifact: async (_, named) => {
      asked.push(named);
      return {
        bytes: bytes.length,
        async *content() {
          yield bytes.subarray(0, 5);
          yield bytes.subarray(5);
        },
      };
    },
  };
  const row = rowOf('order', { artifactDir: 'artifacts/order' });
  const { past } = await pastTrial({ row, transcript: [] }, reading);
  expect([past.world, asked]).toEqual([world, [{ attempt: row.attempts.length, name: 'world.json' }]]);
});
