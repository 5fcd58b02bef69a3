import { join } from 'node:path';
import { writeAgent, writeAgentSuite } from '../lib/claude-agent.mjs';
import { writeProject } from '../lib/inputs.mjs';

const atOnce = 8;
const seconds = 4;

/** Many coding agents in parallel: how busy the slots are, and the memory of a long run. */
export async function manyAgents(context) {
  return { lines: [await busy(context), ...(await memory(context))] };
}

/** The time of the executions compared with the minimum, without start-up and the first one, which runs alone. */
async function busy({ runAssay, scratch, size }) {
  const [few, many] = size.busy;
  const project = agentProject(scratch, { name: 'busy', work: `sleep ${seconds}` });
  const wallOf = async (cases) => (await runAssay(project, suiteIn(project, cases))).wallMs / 1000;
  const count = many - few;
  return {
    name: `time for ${count} executions of an agent that takes ${seconds} s, ${atOnce} at once`,
    value: (await wallOf(many)) - (await wallOf(few)),
    floor: (count / atOnce) * seconds,
    unit: 's',
    budget: 1.1,
  };
}

async function memory({ runAssay, scratch, size }) {
  const [few, many] = size.lasting;
  const project = agentProject(scratch, { name: 'lasting', work: ':' });
  const peakOf = async (cases) => (await runAssay(project, suiteIn(project, cases))).peakMb;
  const small = await peakOf(few);
  const large = await peakOf(many);
  const of = (cases) => cases.toLocaleString('en');
  return [
    {
      name: `peak memory with ${of(many)} executions of agents; floor: with ${of(few)}`,
      value: large,
      floor: small,
      unit: 'MB',
      budget: 1.25,
    },
  ];
}

function agentProject(scratch, { name, work }) {
  const program = join(scratch, name, 'agent.sh');
  const target = { type: 'claude-code', model: 'none', command: program, maxParallel: atOnce };
  const project = writeProject(scratch, name, { agent: target });
  writeAgent(program, work);
  return project;
}

function suiteIn(project, cases) {
  writeAgentSuite(project, cases);
  return [`cases-${cases}.suite.mjs`];
}
