import type { Sink, SinkPlugin, SinkServices } from '../core/log.ts';
import type { Row } from '../core/run.ts';
import { runFold } from '../core/run-view.ts';
import { passRate, spreadOf, totalsOf, type PassRate, type Spread } from '../core/totals.ts';
import { round9 } from '../lib/decimals.ts';
import type { Status, Verdict } from '../core/verdict.ts';
import { placeOf, writeReport, type OutputFile } from './output-file.ts';

/** `results.json`: what the run came to, by target and by case. */
export const json: SinkPlugin = {
  type: 'json',
  summary: 'totals of the run, of each target and of each case as one JSON document',
  defaultFile: 'results.json',
  create: jsonSink,
};

/** A case on one target over its repetitions. */
interface CaseLine {
  readonly suite: string;
  readonly id: string;
  readonly target: string;
  readonly counts: Partial<Record<Verdict, number>>;
  readonly statuses: Partial<Record<Status, number>>;
}

function jsonSink(services: SinkServices): Sink {
  return {
    name: 'json',
    write: () => {},
    close: () => writeReport(placeOf(services, 'results.json'), (file) => writeResults(services, file)),
  };
}

async function writeResults({ reader }: SinkServices, file: OutputFile): Promise<void> {
  const fold = runFold();
  const cases = new Map<string, CaseLine>();
  const samples = new Map<string, Samples>();
  for await (const row of reader.rows()) {
    fold.add(row);
    countCase(cases, row);
    addSample(samples, row);
  }
  const { total, targets } = fold.view();
  const everything = [...samples.values()];
  const all: Samples = {
    durations: everything.flatMap(({ durations }) => durations),
    latencies: everything.flatMap(({ latencies }) => latencies),
  };
  const rates = caseRates(cases.values());
  const totals = { ...totalsOf(total), casePassRate: meanRate([...rates.values()].flat()), ...spreads(all) };
  await file.write(
    `{\n"run": ${JSON.stringify(await reader.manifest())},\n"totals": ${JSON.stringify(totals)},\n`,
  );
  await file.write('"targets": [');
  for (const [index, tally] of targets.entries()) {
    const line = {
      name: tally.target,
      ...totalsOf(tally),
      casePassRate: meanRate(rates.get(tally.target) ?? []),
      ...spreads(samples.get(tally.target) ?? noSamples),
    };
    await file.write(`${index === 0 ? '' : ','}\n${JSON.stringify(line)}`);
  }
  await file.write('\n],\n"cases": [');
  let first = true;
  for (const line of cases.values()) {
    await file.write(`${first ? '' : ','}\n${JSON.stringify(caseOf(line))}`);
    first = false;
  }
  await file.write('\n]\n}\n');
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
  own.durations.push(row.durationMs);
  own.latencies.push(...(row.latency ?? []));
}

function spreads(samples: Samples): { durationMs: Spread; latencyMs: Spread } {
  return { durationMs: spreadOf(samples.durations), latencyMs: spreadOf(samples.latencies) };
}

function countCase(cases: Map<string, CaseLine>, row: Row): void {
  const key = JSON.stringify([row.suite, row.caseId, row.target]);
  const line = cases.get(key) ?? {
    suite: row.suite,
    id: row.caseId,
    target: row.target,
    counts: {},
    statuses: {},
  };
  cases.set(key, line);
  line.counts[row.verdict] = (line.counts[row.verdict] ?? 0) + 1;
  line.statuses[row.status] = (line.statuses[row.status] ?? 0) + 1;
}

/** Worst first: a case is what the worst of its repetitions is. */
const order: readonly Status[] = [
  'failed',
  'unexpected-passed',
  'errored',
  'cancelled',
  'skipped',
  'expected-failed',
  'passed',
];

function caseOf(line: CaseLine): object {
  const status = order.find((name) => line.statuses[name] !== undefined) ?? 'skipped';
  return {
    ...line,
    passRate: rateOf(line),
    passed: status === 'passed' || status === 'expected-failed',
    status,
  };
}

function rateOf({ counts }: CaseLine): PassRate {
  return passRate({ passed: counts.passed ?? 0, failed: counts.failed ?? 0, errored: counts.errored ?? 0 });
}

/** The rates of the measured cases by target. */
function caseRates(cases: Iterable<CaseLine>): Map<string, number[]> {
  const rates = new Map<string, number[]>();
  for (const line of cases) {
    const { value } = rateOf(line);
    if (value === null) continue;
    const own = rates.get(line.target) ?? [];
    rates.set(line.target, own);
    own.push(value);
  }
  return rates;
}

/** Over cases, each counting once however often it was repeated. */
function meanRate(rates: readonly number[]): { value: number | null; cases: number } {
  const sum = rates.reduce((total, rate) => total + rate, 0);
  return { value: rates.length === 0 ? null : round9(sum / rates.length), cases: rates.length };
}
