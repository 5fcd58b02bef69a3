import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../scripts/lib/bundle.mjs';
import { inRoot } from '../../scripts/lib/paths.mjs';
import { writeAgent, writeAgentSuite } from '../lib/claude-agent.mjs';
import { writeClaudeStream } from '../lib/claude-stream.mjs';
import { writeProject, writeTemplate } from '../lib/inputs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

/** The cost of one more execution of a coding agent, and of parsing a long output. */
export async function agents(context) {
  return { lines: [await execution(context), await tenAtOnce(context), await parsing(context)] };
}

async function execution({ runAssay, floorScript, time, scratch, size }) {
  const [few, many] = size.workspaces;
  const project = join(scratch, 'agents');
  const agent = join(project, 'agent.sh');
  writeProject(scratch, 'agents', { agent: { type: 'claude-code', model: 'none', command: agent } });
  writeAgent(agent, 'echo changed >> src-3/file-7.js');
  const template = writeTemplate(project);
  for (const cases of [few, many]) writeAgentSuite(project, cases, { templateDir: './template' });
  const marginal = async (wallOf) => ((await wallOf(many)) - (await wallOf(few))) / (many - few);
  const rounds = await interleaved(size.rounds, {
    assay: () => marginal(async (cases) => (await runAssay(project, [`cases-${cases}.suite.mjs`])).wallMs),
    floor: () =>
      marginal(async (cases) => (await time([floorScript('agent'), agent, String(cases), template])).wallMs),
  });
  return line('one execution of a coding agent, in a workspace of 200 files', rounds, {
    unit: 'ms',
    budget: 1.2,
  });
}

/** Without a workspace, ten in parallel: the rest is starting the program, its home, its artifacts and the log. */
async function tenAtOnce({ runAssay, floorScript, time, scratch, size }) {
  const project = join(scratch, 'ten-agents');
  const agent = join(project, 'agent.sh');
  const target = { type: 'claude-code', model: 'none', command: agent, maxParallel: 10 };
  writeProject(scratch, 'ten-agents', { agent: target });
  writeAgent(agent, ':');
  const [few, many] = size.together;
  for (const cases of [few, many]) writeAgentSuite(project, cases, { mode: 'none' });
  const marginal = async (wallOf) => ((await wallOf(many)) - (await wallOf(few))) / (many - few);
  const flags = ['--concurrency', '10'];
  const rounds = await interleaved(size.rounds, {
    assay: () =>
      marginal(async (cases) => (await runAssay(project, [`cases-${cases}.suite.mjs`, ...flags])).wallMs),
    floor: () =>
      marginal(async (cases) => (await time([floorScript('agents'), agent, String(cases)])).wallMs),
  });
  return line('one of 200 executions of an agent without a workspace, ten at once', rounds, {
    unit: 'ms',
    budget: 1.1,
  });
}

/** Only the parser, bundled like the program: its work besides reading JSON. */
async function parsing({ floorScript, time, scratch, size }) {
  const folder = join(scratch, 'parsing');
  mkdirSync(folder, { recursive: true });
  const stream = writeClaudeStream(join(folder, 'stream.jsonl'), size.streamMb);
  const parser = join(folder, 'parser.mjs');
  await bundle(inRoot('bench/lib/stream-parser.ts'), parser, { external: ['jiti'] });
  const told = async (...args) => Number((await time(args)).output);
  const rounds = await interleaved(size.rounds, {
    assay: () => told(floorScript('parse-stream'), stream, parser),
    floor: () => told(floorScript('parse-stream'), stream),
  });
  return line(`reading ${size.streamMb} MB of output of Claude Code`, rounds, { unit: 'ms', budget: 3 });
}

function line(name, { assay, floor }, rest) {
  const ratioNoise = Math.max(noise(assay), noise(floor));
  return { name, value: median(assay), floor: median(floor), noise: ratioNoise, ...rest };
}
