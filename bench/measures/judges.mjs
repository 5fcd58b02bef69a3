import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeJudgedSuite, writeProject } from '../lib/inputs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

const atOnce = 50;

/** Time of judge calls, 50 in parallel: compared with the time of the answers alone, and for short calls. */
export async function judges(context) {
  const [few, many] = context.size.judged;
  return {
    lines: [
      await judgedLine(context, { delayMs: 200, cases: [few, many], bound: { budget: 1.25 } }),
      await judgedLine(context, { delayMs: 20, cases: [1, 1001], bound: { most: 1500 } }),
    ],
  };
}

/** The time of the additional cases, without start-up. */
async function judgedLine({ runAssay, scratch, agent, size }, { delayMs, cases: [few, many], bound }) {
  const targets = { bot: { type: 'mock', response: 'Order ORD-1042 was delivered on Tuesday.' } };
  const project = writeProject(scratch, `judges-${delayMs}`, targets);
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
    name: `time for ${calls.toLocaleString('en')} judge calls of ${delayMs} ms, ${atOnce} at once`,
    value: median(assay),
    floor: (calls / atOnce) * delayMs,
    unit: 'ms',
    noise: noise(assay),
    ...bound,
  };
}
