import { join } from 'node:path';
import { writeProject, writeSuite } from '../lib/inputs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

/** Duration of the smallest commands. */
export async function start({ time, program, scratch, agent, size, floorScript }) {
  const project = writeProject(scratch, 'start', { bot: { type: 'http', url: agent.url(0) } });
  const suite = writeSuite(project, 1);
  const wallOf = async (...args) => (await time(args, project)).wallMs;
  const rounds = await interleaved(size.startRounds, {
    node: () => wallOf('-e', '0'),
    version: () => wallOf(program, '--version'),
    help: () => wallOf(program, '--help'),
    validate: () => wallOf(program, 'validate', suite),
    run: () => wallOf(program, 'run', suite),
    floorRun: () => wallOf(floorScript('fetch'), agent.url(0), '1', '1', join(scratch, 'one.jsonl')),
  });
  const of = Object.fromEntries(Object.entries(rounds).map(([name, values]) => [name, median(values)]));
  const line = ({ name, subject, floor, ...bound }) => ({
    name,
    value: of[subject],
    floor: of[floor],
    unit: 'ms',
    noise: Math.max(noise(rounds[subject]), noise(rounds[floor])),
    ...bound,
  });
  return {
    lines: [
      line({ name: 'start: `assay --version`', subject: 'version', floor: 'node', budget: 1.3 }),
      line({ name: 'start: `assay --help`', subject: 'help', floor: 'node', budget: 1.4 }),
      line({
        name: 'start: `assay validate` of one file',
        subject: 'validate',
        floor: 'node',
        mostMore: 120,
      }),
      line({ name: 'start: a run of one test', subject: 'run', floor: 'floorRun', budget: 2 }),
    ],
  };
}
