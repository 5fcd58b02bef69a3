import type { Sink } from '../core/log.ts';
import type { SinkPlugin, SinkServices } from './plugin.ts';
import type { Row } from '../core/run.ts';
import { shownTotals } from '../reading/shown-totals.ts';
import { spreadOf, type Spread } from '../lib/spread.ts';
import { type CaseCounts, caseCounts } from '../reading/case-counts.ts';
import { caseRatesOf, weightsOf } from '../reading/case-rates.ts';
import { writeReportOf, type OutputFile } from './output-file.ts';
import { printableJson } from '../lib/text/printable-json.ts';
import { derivedTotals } from '../reading/derived-totals.ts';
import { graderCounts, type GraderCounts } from '../reading/grader-totals.ts';
import { inConfigOrder } from '../reading/summary.ts';

/** `results.json`: the totals of the run, by target and by case. */
export const json = {
  type: 'json',
  summary: 'totals of the run, of each target and of each case as one JSON document',
  defaultFile: 'results.json',
  create: jsonSink,
} as const satisfies SinkPlugin;

function jsonSink(services: SinkServices): Sink {
  const seen = services.cases && collectResults(services.cases);
  return {
    name: 'json',
    write: ({ fact }) => {
      if (fact.type === 'trial-end') seen?.addSample(fact.row);
    },
    close: () =>
      writeReportOf(json, services, async (file) => {
        const results = seen ?? (await readResults(services));
        await writeResults(results, services, file);
      }),
  };
}

/** The content of results.json, collected row by row. */
interface Results {
  readonly cases: CaseCounts;
  readonly samples: Map<string, Samples>;
  readonly graders: GraderCounts;
  addSample(row: Row): void;
}

function collectResults(cases: CaseCounts): Results {
  const samples = new Map<string, Samples>();
  const graders = graderCounts();
  return {
    cases,
    samples,
    graders,
    addSample: (row) => {
      graders.add(row);
      addSample(samples, row);
    },
  };
}

async function readResults({ reader }: SinkServices): Promise<Results> {
  const cases = caseCounts();
  const results = collectResults(cases);
  for await (const row of reader.rows()) {
    cases.add(row);
    results.addSample(row);
  }
  return results;
}

async function writeResults(results: Results, services: SinkServices, file: OutputFile): Promise<void> {
  const { cases, samples, graders } = results;
  const { total, targets } = services.view();
  const { digests, leftovers: _own, ...manifest } = await services.reader.manifest();
  const order = {
    suites: manifest.suites.map(({ id }) => id),
    targets: manifest.targets.map(({ name }) => name),
    placeOf: services.placeOf,
  };
  const rates = caseRatesOf(cases.tallies(), weightsOf(manifest));
  const totals = {
    ...shownTotals(total, rates.total),
    ...spreads([...samples.values()]),
  };
  const run = {
    ...manifest,
    targets: manifest.targets.map((target) => ({ ...target, digest: digests[target.digest] })),
  };
  const nothing = caseRatesOf([], undefined).total;
  await file.write(`{\n"run": ${printableJson(run)},\n"totals": ${printableJson(totals)},\n"targets": `);
  await writeList(
    file,
    inConfigOrder(targets, manifest).map((tally) => ({
      name: tally.target,
      ...shownTotals(tally, rates.byTarget.get(tally.target) ?? nothing),
      ...spreads([samples.get(tally.target) ?? noSamples]),
    })),
  );
  await file.write(',\n"graders": ');
  const graderTotals = graders.totals(order.targets);
  await writeList(file, graderTotals);
  await file.write(',\n"derived": ');
  await writeList(file, derivedTotals(graderTotals, manifest));
  await file.write(',\n"cases": ');
  await writeList(file, cases.lines(order));
  await file.write('\n}\n');
}

/** A JSON list, one line an item. */
async function writeList(file: OutputFile, items: Iterable<object>): Promise<void> {
  let before = '[\n';
  for (const item of items) {
    await file.write(before + printableJson(item));
    before = ',\n';
  }
  await file.write(before === '[\n' ? '[]' : '\n]');
}

interface Samples {
  readonly durations: number[];
  readonly latencies: number[];
}

const noSamples: Samples = { durations: [], latencies: [] };

function addSample(samples: Map<string, Samples>, row: Row): void {
  if (row.verdict !== 'passed' && row.verdict !== 'failed') return;
  const own = samples.get(row.target) ?? { durations: [], latencies: [] };
  samples.set(row.target, own);
  if (row.cached === undefined) own.durations.push(row.durationMs);
  own.latencies.push(...(row.latency ?? []));
}

function spreads(samples: readonly Samples[]): { durationMs: Spread; latencyMs: Spread } {
  return {
    durationMs: spreadOf(samples.flatMap(({ durations }) => durations)),
    latencyMs: spreadOf(samples.flatMap(({ latencies }) => latencies)),
  };
}
