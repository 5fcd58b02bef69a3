import { MeasurementError } from '../core/errors.ts';
import type { Verdict } from '../core/verdict.ts';
import { given } from '../lib/given.ts';
import { keepDirectory, removeDirectory } from './put-away.ts';
import { runScript } from './run-script.ts';
import type { PlacedJob } from './workspace-job.ts';

/** The final place of the directory, and a warning for people. */
export interface WorkspaceEnd {
  readonly keptAt?: string;
  readonly warnings: readonly string[];
}

/** Runs teardown, then keeps or removes the directory. Never rejects. */
export async function endWorkspace(job: PlacedJob, verdict: Verdict): Promise<WorkspaceEnd> {
  const { plan, services, directory, graded = directory } = job;
  const warning = await tearDown(job);
  const { keptAt, ...away } = isKept(plan.keep ?? 'on-failure', verdict)
    ? await keepDirectory(graded, {
        destination: services.keptDirectory(job.attempt.trial, job.attempt.trial.attempt),
        clean: services.cleanKept,
      })
    : await removeDirectory(graded);
  const original = graded === directory ? {} : await removeDirectory(directory);
  if (plan.repository === true) await tellWhere(job, keptAt);
  const warnings = [warning, away.warning, original.warning].filter((text) => text !== undefined);
  return { ...given({ keptAt }), warnings };
}

/** The error that ended a preparation, with the final place of the directory. */
export function withEnd(error: MeasurementError, { keptAt, warnings }: WorkspaceEnd): MeasurementError {
  if (keptAt === undefined && warnings.length === 0) return error;
  const place = keptAt === undefined ? [] : [`the workspace is kept at ${keptAt}`];
  const { message, stage, kind, detail, transient, hint } = error;
  return new MeasurementError([message, ...place, ...warnings].join('; '), {
    stage,
    kind,
    transient,
    ...given({ detail, hint }),
    cause: error,
  });
}

/** For people who look at an attempt of a code suite. */
async function tellWhere(job: PlacedJob, keptAt: string | undefined): Promise<void> {
  const { plan, attempt, directory, bootstrap } = job;
  const told = {
    mode: 'isolated',
    directory,
    ...given({ templateDir: plan.template, keptAt, bootstrap }),
  };
  await attempt.artifacts.write('workspace.json', `${JSON.stringify(told, null, 2)}\n`).catch(() => {});
}

const TEARDOWN_TIMEOUT_MS = 30_000;

/** Cancelled work is cleaned up too, within the script's own time limit. */
async function tearDown(job: PlacedJob): Promise<string | undefined> {
  const { plan, services } = job;
  if (plan.teardown === undefined) return undefined;
  const script = { ...plan.teardown, timeoutMs: plan.teardown.timeoutMs ?? TEARDOWN_TIMEOUT_MS };
  const outcome = await runScript(script, job, new AbortController().signal);
  if (outcome === 'done') return undefined;
  const { text, stderr } = outcome === 'aborted' ? { text: 'was ended', stderr: '' } : outcome;
  const said = stderr === '' ? '' : `; its stderr ends: ${stderr}`;
  return services.redact(`the teardown script \`${script.script.join(' ')}\` ${text}${said}`);
}

function isKept(keep: 'always' | 'never' | 'on-failure', verdict: Verdict): boolean {
  if (keep === 'on-failure') return verdict === 'failed' || verdict === 'errored';
  return keep === 'always';
}
