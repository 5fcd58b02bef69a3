import type { RunSummaries } from '../app/view/run-summaries.ts';
import type { ReadableRun } from '../app/view/run-summary.ts';
import type { CountedRun, CountedTarget } from '../app/view/counted-run.ts';
import { judgeAgreements, judgingOf, type KnownCalibrations } from '../reading/judge-agreement.ts';
import type { RunFigures } from './run-resource.ts';

/** The totals of a run, overall and by target, and its baseline. `bases`: the runs that are named as baselines. */
export async function runFigures(
  run: ReadableRun,
  bases: ReadonlyMap<string, ReadableRun>,
  runs: RunSummaries,
): Promise<RunFigures> {
  const counted = await runs.counted(run);
  const known = runs.calibrations(run.head.projectRoot);
  return {
    totals: counted.totals,
    judging: judgingIn(counted, known),
    by_target: counted.targets.map((each) => targetFigures(each, known)),
    baseline: await baselineOf(run.head, bases, runs),
  };
}

/** The runs that these were compared with, by id. */
export async function basesOf(
  compared: readonly ReadableRun[],
  runs: RunSummaries,
): Promise<ReadonlyMap<string, ReadableRun>> {
  const ids = compared.flatMap(({ head }) => head.baseline?.base.replace(/#.*$/s, '') ?? []).filter(isNoPath);
  return new Map((await runs.several([...new Set(ids)])).map((base) => [base.id, base]));
}

/** A path could point to other runs on this machine. */
function isNoPath(id: string): boolean {
  return !/[/\\]|^\.*$/.test(id);
}

function judgingIn({ judged }: Pick<CountedRun, 'judged'>, known: KnownCalibrations) {
  return judgingOf(judgeAgreements(judged.first, known), judged.graders);
}

function targetFigures(counted: CountedTarget, known: KnownCalibrations): RunFigures['by_target'][number] {
  const { target, planned, totals, latencyMs } = counted;
  return {
    target,
    planned: planned ?? null,
    totals,
    latency_p50_ms: latencyMs.p50,
    latency_p95_ms: latencyMs.p95,
    judging: judgingIn(counted, known),
  };
}

async function baselineOf(
  { baseline }: ReadableRun['head'],
  bases: ReadonlyMap<string, ReadableRun>,
  runs: RunSummaries,
): Promise<RunFigures['baseline']> {
  if (baseline === undefined) return null;
  const { base, verdict, sentence } = baseline;
  const found = bases.get(base.replace(/#.*$/s, ''));
  const counted = found && (await runs.counted(found).catch(() => undefined));
  return { run_id: base, verdict, sentence, rate: counted?.totals.passRate.value ?? null };
}
