import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeConversations, writeProject } from '../lib/inputs.mjs';
import { median, noise } from '../lib/rounds.mjs';

const atOnce = 50;
const delayMs = 250;
const talks = 200;
/** Sequential waits: answers of the agent, messages of the user after the first, and the judgement. */
const waits = 6 + 5 + 1;

/** Conversations of six turns with a simulated user and a judge: their time including start-up, and their memory. */
export async function conversations({ runAssay, scratch, agent, size }) {
  const runTalks = async (cases, wait) => {
    const project = projectOf({ scratch, agent, delayMs: wait });
    const args = ['--stored', writeConversations(project, cases), '--concurrency', String(atOnce)];
    return await runAssay(project, args, ['--expose-gc']);
  };
  const rounds = [];
  for (let round = 0; round < Math.min(3, size.rounds); round++) rounds.push(await runTalks(talks, delayMs));
  const walls = rounds.map(({ wallMs }) => wallMs);
  const [few, many] = size.talked;
  const small = await runTalks(few, 20);
  const large = await runTalks(many, 20);
  const shown = (count) => count.toLocaleString('en');
  return {
    lines: [
      {
        name: `time for ${talks} conversations of 6 turns, ${delayMs} ms per answer, ${atOnce} at once`,
        value: median(walls),
        floor: (talks / atOnce) * waits * delayMs,
        unit: 'ms',
        budget: 1.25,
        noise: noise(walls),
      },
      {
        name: `memory still in use after ${shown(many)} conversations; floor: after ${few}`,
        value: large.heldMb,
        floor: small.heldMb,
        unit: 'MB',
        budget: 1.2,
      },
      {
        name: `peak memory with ${shown(many)} conversations; floor: with ${few}`,
        value: large.peakMb,
        floor: small.peakMb,
        unit: 'MB',
        budget: 1.5,
      },
      {
        name: `processor time per conversation in a run of ${shown(many)}; floor: in a run of ${few}`,
        value: large.cpuMs / many,
        floor: small.cpuMs / few,
        unit: 'ms',
        budget: 1.1,
      },
    ],
  };
}

function projectOf({ scratch, agent, delayMs: wait }) {
  const targets = { bot: { type: 'http', url: agent.url(wait) } };
  const project = writeProject(scratch, `conversations-${wait}`, targets);
  const price = { input: 1, output: 1 };
  const models = {
    played: { baseUrl: agent.userUrl(wait), price },
    reviewing: { baseUrl: agent.reviewerUrl(wait), price },
  };
  const config = { targets, user: { model: 'played/user' }, judge: { model: 'reviewing/judge' }, models };
  writeFileSync(join(project, 'assay.config.json'), JSON.stringify(config));
  return project;
}
