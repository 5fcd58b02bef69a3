import { AssayError } from '../core/errors.ts';
import type { RunStore } from '../core/run-store.ts';
import { given } from '../lib/given.ts';
import { agreementOfRun, type RunAgreement } from './calibration/agreement-of-run.ts';
import type { CalibrationReport } from './calibration/calibration-text.ts';
import { saveCalibration } from './calibration/calibration-file.ts';
import { readLabels, type Label } from './calibration/read-labels.ts';
import { refuseSmaller } from './calibration/refuse-smaller.ts';
import { openRuns } from './runs.ts';
import type { Surroundings } from './surroundings.ts';

export interface CalibrateRequest {
  /** Path of the JSONL file with the labels. */
  readonly labels: string;
  /** Absent: the run of all labels, else the latest. */
  readonly run?: string;
  readonly seed?: number;
  readonly out?: string;
  /** Also replaces calibrations that are based on more labels. */
  readonly replace?: boolean;
}

/** Compares the verdicts of graders with human labels and saves the agreement in the project. */
export async function calibrate(
  request: CalibrateRequest,
  surroundings: Surroundings,
): Promise<CalibrationReport> {
  const labels = readLabels(request.labels, surroundings.cwd);
  const runs = await openRuns(request.out, surroundings);
  const { run } = await runs.find(request.run ?? (await runOfLabels(labels, runs)));
  const { projectRoot } = await run.head();
  const options = { ...given({ seed: request.seed }), nowMs: surroundings.now() };
  const { runId, graders, unused } = await agreementOfRun(run, labels, options);
  if (graders.length === 0) throw nothingFits(runId, unused);
  const fresh = graders.map(({ calibration }) => calibration);
  if (request.replace !== true) refuseSmaller(projectRoot, fresh);
  const file = saveCalibration(projectRoot, fresh);
  return { runId, file, graders, unused };
}

/** The run that all labels name, if it is there. */
async function runOfLabels(labels: readonly Label[], runs: Pick<RunStore, 'list'>): Promise<string> {
  const named = new Set(labels.map(({ runId }) => runId));
  const [only = 'latest', ...others] = named;
  return others.length === 0 && (await runs.list()).includes(only) ? only : 'latest';
}

function nothingFits(runId: string, unused: RunAgreement['unused']): AssayError {
  const reasons = Object.entries(unused)
    .map(([reason, times]) => `${times} ${reason}`)
    .join(', ');
  return new AssayError('no-labels', `none of the labels can be used with ${runId} (${reasons})`, {
    stage: 'plan',
    hint: 'write `trial` as <run id>/<suite>/<case>/<target>/r<repetition>, with %2F for each / in a suite or case; assay show RUN --json lists trials and expectations',
  });
}
