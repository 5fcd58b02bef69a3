import { writeProject, writeSuite } from '../lib/inputs.mjs';
import { interleaved, median, noise } from '../lib/rounds.mjs';

const delayMs = 20;
const atOnce = 50;

/** Processor time of one more case with a model call through the AI SDK, compared with a plain `fetch`. */
export async function modelCalls({ runAssay, floor, scratch, agent, size }) {
  const [few, many] = size.marginal;
  const baseUrl = agent.modelUrl(delayMs);
  const price = { input: 1, output: 1 };
  const project = writeProject(scratch, 'model-calls', {
    bot: { type: 'openai-compatible', baseUrl, model: 'model', price },
  });
  const suites = new Map([few, many].map((cases) => [cases, writeSuite(project, cases)]));
  const rounds = await interleaved(size.rounds, {
    assay: () => marginal(async (cases) => runAssay(project, [suites.get(cases), '--concurrency', atOnce])),
    floor: () => marginal(async (cases) => floor('fetch', cases, { delayMs, concurrency: atOnce })),
  });
  async function marginal(run) {
    const less = await run(few);
    const more = await run(many);
    return (more.cpuMs - less.cpuMs) / (many - few);
  }
  return {
    lines: [
      {
        name: 'processor time per call of a model, start-up not counted',
        value: median(rounds.assay),
        floor: median(rounds.floor),
        unit: 'ms',
        budget: 1.8,
        noise: Math.max(noise(rounds.assay), noise(rounds.floor)),
      },
    ],
  };
}
