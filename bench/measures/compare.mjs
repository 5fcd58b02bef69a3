import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { measuredRun } from '../lib/child.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';
import { storedRandom, writeStoredRun } from '../lib/stored-run.mjs';

const ids = ['20260101T000000Z-aaaaaa', '20260101T000001Z-bbbbbb'];

/** What `assay compare` takes for two stored runs, five repetitions of each case. */
export async function compare({ node, program, scratch, size }) {
  const rows = size.compared;
  const folder = join(scratch, 'compare');
  mkdirSync(folder);
  const random = storedRandom();
  for (const id of ids) await writeStoredRun(folder, { id, rows, cases: rows / 5, random });
  const { runs } = await interleaved(size.rounds, {
    runs: () => measuredRun(node, [program, 'compare', ...ids, '--out', folder], folder),
  });
  const times = runs.map(({ wallMs }) => wallMs / 1000);
  const peaks = runs.map(({ peakMb }) => peakMb);
  const name = `assay compare of ${rows.toLocaleString('en')} rows a side`;
  return {
    lines: [
      { name, value: median(times), most: 3, unit: 's', noise: noise(times) },
      { name: 'most memory of it', value: median(peaks), most: 400, unit: 'MB', noise: noise(peaks) },
    ],
  };
}
