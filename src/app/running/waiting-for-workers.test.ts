import { expect, test } from 'vitest';

import type { Refusal } from '../../core/handed-trials.ts';
import { waitingForWorkers } from './waiting-for-workers.ts';

const config: Refusal = { worker: 'one', reason: 'not the same here: the config' };

async function toldOf(looks: readonly (readonly Refusal[] | undefined)[]): Promise<readonly string[]> {
  const told: string[] = [];
  const left = [...looks];
  const look = waitingForWorkers({ refusals: async () => left.shift() }, (text) => told.push(text));
  for (const _ of looks) await look();
  return told;
}

test('that no worker runs is told once, after two looks in a row', async () => {
  const none = 'waiting for a worker: none is running; start one with `assay worker` and the same database';
  expect(await toldOf([[]])).toEqual([]);
  expect(await toldOf([[], undefined, []])).toEqual([]);
  expect(await toldOf([[], [], [], undefined, [], []])).toEqual([none]);
});

test('the refusals of all workers are told with their reasons, and again when they change', async () => {
  const other: Refusal = { worker: 'other', reason: 'target bot: claude: not found on PATH' };
  expect(await toldOf([[config], [config], [config, other]])).toEqual([
    'waiting for a worker: 1 worker refused this run; one: not the same here: the config',
    'waiting for a worker: 2 workers refused this run; one: not the same here: the config; other: target bot: claude: not found on PATH',
  ]);
  expect(
    (await toldOf([Array.from({ length: 5 }, () => config), Array.from({ length: 5 }, () => config)]))[0],
  ).toMatch(/; 2 more workers \(`assay workers` lists all\)$/);
});
