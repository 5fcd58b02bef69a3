import { measuredRun } from '../lib/child.mjs';
import { largeRuns } from '../lib/large-runs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

/** Time and memory of `assay compare` for two large runs. */
export async function compare(context) {
  const { node, program, size } = context;
  const cases = size.compared;
  const { project, out, ids } = await largeRuns(context, cases);
  const { runs } = await interleaved(size.rounds, {
    runs: () =>
      measuredRun(node, [program, 'compare', ...ids, '--out', out], { cwd: project, codes: [0, 1] }),
  });
  const times = runs.map(({ wallMs }) => wallMs / 1000);
  const peaks = runs.map(({ peakMb }) => peakMb);
  const name = `assay compare of two runs of ${cases.toLocaleString('en')} cases`;
  return {
    lines: [
      { name, value: median(times), most: 3, unit: 's', noise: noise(times) },
      {
        name: 'peak memory of that comparison',
        value: median(peaks),
        most: 400,
        unit: 'MB',
        noise: noise(peaks),
      },
    ],
  };
}
