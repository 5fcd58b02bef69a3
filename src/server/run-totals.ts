import type { ReadableRun, RunSummaries } from '../app/view/run-summaries.ts';
import type { CountedRun, CountedTarget } from '../app/view/counted-run.ts';
import { judgeAgreements, judgingOf, type KnownCalibrations } from '../reading/judge-agreement.ts';
import type { RunFigures } from './run-resource.ts';

/** The totals of a run, overall and by target, and its baseline. */
export async function runFigures({ id, head }: ReadableRun, runs: RunSummaries): Promise<RunFigures> {
  const counted = await runs.counted(id);
  const known = runs.calibrations(head.projectRoot);
  return {
    totals: counted.totals,
    judging: judgingIn(counted, known),
    by_target: counted.targets.map((each) => targetFigures(each, known)),
    baseline: await baselineOf(head, runs),
  };
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
  runs: RunSummaries,
): Promise<RunFigures['baseline']> {
  if (baseline === undefined) return null;
  const { base, verdict, sentence } = baseline;
  const counted = await runs
    .run(base)
    .then(({ name }) => runs.counted(name))
    .catch(() => undefined);
  return { run_id: base, verdict, sentence, rate: counted?.totals.passRate.value ?? null };
}
