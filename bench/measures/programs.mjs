import { join } from 'node:path';
import { writeProgram, writeProject, writeSuite, writeTemplate } from '../lib/inputs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

/** One more execution of a program, one after another, without and with a workspace of its own. */
export async function programs(context) {
  return { lines: [await plain(context), await inWorkspace(context)] };
}

async function plain({ runAssay, floorScript, time, scratch, size }) {
  const [few, many] = size.executions;
  const project = writeProject(scratch, 'cli', { bot: { type: 'cli', command: ['/bin/sh', './agent.sh'] } });
  const program = writeProgram(project, 'agent.sh');
  const suites = new Map([few, many].map((cases) => [cases, writeSuite(project, cases)]));
  return line(
    { name: 'one execution of a `cli` target', rounds: size.rounds, counts: [few, many] },
    {
      assay: async (cases) => (await runAssay(project, [suites.get(cases), '--concurrency', '1'])).wallMs,
      floor: async (cases) => (await time([floorScript('program'), program, String(cases)])).wallMs,
    },
  );
}

async function inWorkspace({ runAssay, floorScript, time, scratch, size }) {
  const counts = size.workspaces;
  const project = writeProject(scratch, 'workspace', {
    bot: { type: 'cli', command: ['/bin/sh', join(scratch, 'workspace', 'agent.sh')] },
  });
  const program = writeProgram(project, 'agent.sh', 'echo changed >> src-3/file-7.js');
  const template = writeTemplate(project);
  const more = 'workspace:\n  template: ./template\n';
  const suites = new Map(counts.map((cases) => [cases, writeSuite(project, cases, more)]));
  return line(
    { name: 'the same in a workspace of 200 files', rounds: size.rounds, counts },
    {
      assay: async (cases) => (await runAssay(project, [suites.get(cases), '--concurrency', '1'])).wallMs,
      floor: async (cases) =>
        (await time([floorScript('workspace'), program, String(cases), template])).wallMs,
    },
  );
}

async function line({ name, rounds: count, counts: [few, many] }, wallOf) {
  const marginal = async (subject) => ((await subject(many)) - (await subject(few))) / (many - few);
  const rounds = await interleaved(count, {
    assay: () => marginal(wallOf.assay),
    floor: () => marginal(wallOf.floor),
  });
  return {
    name,
    value: median(rounds.assay),
    floor: median(rounds.floor),
    unit: 'ms',
    budget: 1.2,
    noise: Math.max(noise(rounds.assay), noise(rounds.floor)),
  };
}
