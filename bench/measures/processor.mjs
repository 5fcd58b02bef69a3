import { interleaved, median, noise } from '../lib/rounds.mjs';

/** Processor time of one more case compared with a hand-written `fetch`, without start-up. */
export async function processor({ assay, floor, size }) {
  const [few, many] = size.marginal;
  const rounds = await interleaved(size.rounds, {
    assay: async () => marginal(await assay(few), await assay(many)),
    floor: async () => marginal(await floor('fetch', few), await floor('fetch', many)),
    floorHttp: async () => marginal(await floor('node-http', few), await floor('node-http', many)),
  });
  function marginal(less, more) {
    return ((more.cpuMs - less.cpuMs) / (many - few)) * 1000;
  }
  const of = { assay: median(rounds.assay), floor: median(rounds.floor), http: median(rounds.floorHttp) };
  return {
    floorUs: of.floor,
    assayUs: of.assay,
    lines: [
      {
        name: 'processor time per case, start-up not counted',
        value: of.assay,
        floor: of.floor,
        unit: 'us',
        budget: 1.0,
        noise: Math.max(noise(rounds.assay), noise(rounds.floor)),
      },
      {
        name: 'the same, compared with a floor that uses `node:http` (`floor-http`)',
        value: of.assay,
        floor: of.http,
        unit: 'us',
        noise: noise(rounds.floorHttp),
      },
    ],
  };
}
