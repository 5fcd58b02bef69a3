import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeJudgedSuite, writeProject } from '../lib/inputs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

const delayMs = 200;
const atOnce = 50;

/** How long judge calls take, 50 at once, against the time that the answers alone take; start-up does not count. */
export async function judges({ runAssay, scratch, agent, size }) {
  const [few, many] = size.judged;
  const targets = { bot: { type: 'mock', response: 'Order ORD-1042 was delivered on Tuesday.' } };
  const project = writeProject(scratch, 'judges', targets);
  const models = { local: { baseUrl: agent.judgeUrl(delayMs), price: { input: 1, output: 1 } } };
  const config = { targets, judge: { model: 'local/judge' }, models };
  writeFileSync(join(project, 'assay.config.json'), JSON.stringify(config));
  const suites = new Map([few, many].map((cases) => [cases, writeJudgedSuite(project, cases)]));
  const wallOf = async (cases) =>
    (await runAssay(project, [suites.get(cases), '--concurrency', String(atOnce)])).wallMs;
  const { assay } = await interleaved(size.rounds, {
    assay: async () => (await wallOf(many)) - (await wallOf(few)),
  });
  const calls = many - few;
  return {
    lines: [
      {
        name: `${calls.toLocaleString('en')} judge calls of ${delayMs} ms, ${atOnce} at once`,
        value: median(assay),
        floor: (calls / atOnce) * delayMs,
        unit: 'ms',
        budget: 1.25,
        noise: noise(assay),
      },
    ],
  };
}
