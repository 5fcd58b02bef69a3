import { interleaved, median, noise } from '../lib/rounds.mjs';

const budgets = [
  [100, 1.15],
  [20, 2],
];

/** Duration of 1,000 cases, 50 in parallel, including start-up, compared with a hand-written `node:http` script. */
export async function wall({ assay, floor, size }) {
  const lines = [];
  for (const [delayMs, budget] of budgets) {
    const options = { delayMs, concurrency: 50 };
    const rounds = await interleaved(size.rounds, {
      assay: async () => (await assay(1000, options)).wallMs,
      floor: async () => (await floor('node-http', 1000, options)).wallMs,
    });
    lines.push({
      name: `time for 1,000 cases, if the agent answers after ${delayMs} ms`,
      value: median(rounds.assay),
      floor: median(rounds.floor),
      unit: 'ms',
      budget,
      noise: Math.max(noise(rounds.assay), noise(rounds.floor)),
    });
  }
  return { lines };
}
