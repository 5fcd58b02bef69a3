import { join } from 'node:path';
import { writeProgram, writeProject, writeScript, writeSuite, writeTemplate } from '../lib/inputs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

/** One more execution of a program, in sequence, without and with an isolated workspace. */
export async function programs(context) {
  return { lines: [await inNode(context), await inShell(context), await inWorkspace(context)] };
}

/** A minimal Node program, because most command-line agents are written for Node. */
async function inNode(context) {
  const { node, scratch, size } = context;
  const script = writeScript(writeProject(scratch, 'cli-node', {}), 'agent.mjs');
  const name = 'one execution of a Node program (`cli`)';
  return plain(context, { name, folder: 'cli-node', command: [node, script], counts: size.scripts });
}

/** A minimal shell program: the rest is the cost of starting it. */
async function inShell(context) {
  const { scratch, size } = context;
  const program = writeProgram(writeProject(scratch, 'cli-sh', {}), 'agent.sh');
  const name = 'one execution of a shell script of four lines (`cli`)';
  return plain(context, {
    name,
    budget: undefined,
    folder: 'cli-sh',
    command: ['/bin/sh', program],
    counts: size.executions,
  });
}

async function plain(
  { runAssay, floorScript, time, scratch, size },
  { name, folder, command, counts, ...bound },
) {
  const project = writeProject(scratch, folder, { bot: { type: 'cli', command } });
  const suites = new Map(counts.map((cases) => [cases, writeSuite(project, cases)]));
  return line(
    { name, rounds: size.rounds, counts, ...bound },
    {
      assay: async (cases) => (await runAssay(project, [suites.get(cases), '--concurrency', '1'])).wallMs,
      floor: async (cases) => (await time([floorScript('program'), String(cases), ...command])).wallMs,
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
    { name: 'one execution of a shell script, in a workspace of 200 files', rounds: size.rounds, counts },
    {
      assay: async (cases) => (await runAssay(project, [suites.get(cases), '--concurrency', '1'])).wallMs,
      floor: async (cases) =>
        (await time([floorScript('workspace'), String(cases), template, '/bin/sh', program])).wallMs,
    },
  );
}

async function line({ name, rounds: count, counts: [few, many], ...bound }, wallOf) {
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
    ...bound,
    noise: Math.max(noise(rounds.assay), noise(rounds.floor)),
  };
}
