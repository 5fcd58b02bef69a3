import { join } from 'node:path';
import { timed } from '../lib/child.mjs';
import { caseIdOf, largeRuns } from '../lib/large-runs.mjs';
import { manyRuns } from '../lib/many-runs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

/** Waiting time for reading large or many runs, and for one case of a large suite. */
export async function stored(context) {
  const { node, program, size } = context;
  const { project, suite, out, ids, peakMb } = await largeRuns(context, size.compared);
  const { project: small, out: runs } = await manyRuns(context, size.listed);
  const late = caseIdOf(Math.round(size.compared * 0.9));
  const one = [suite, '--target', 'bot', '--limit', '1', '--out', join(project, 'tries')];
  const wallOf = async (cwd, ...args) => (await timed(node, [program, ...args], cwd)).wallMs / 1000;
  const rounds = await interleaved(size.rounds, {
    show: () => wallOf(project, 'show', ids[0], '--trial', late, '--out', out),
    runs: () => wallOf(small, 'runs', '--out', runs, '--limit', String(size.listed)),
    limit: () => wallOf(project, 'run', ...one),
  });
  const count = (number) => number.toLocaleString('en');
  const line = (subject, name, most) => ({
    name,
    value: median(rounds[subject]),
    ...(most === undefined ? {} : { most }),
    unit: 's',
    noise: noise(rounds[subject]),
  });
  return {
    lines: [
      line('show', `assay show --trial in a run of ${count(size.compared)}`, 1),
      line('runs', `assay runs of ${count(size.listed)} runs`, 0.5),
      {
        name: `peak memory of a run of ${count(size.compared)} cases, each of its own kind`,
        value: peakMb,
        most: 300,
        unit: 'MB',
      },
      line('limit', `assay run --limit 1 of ${count(size.compared)} cases (no budget)`),
    ],
  };
}
