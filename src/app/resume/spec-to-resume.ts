import { AssayError } from '../../core/errors.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { RunSpec } from '../../core/run-spec.ts';
import type { StoredRun } from '../../core/run-store.ts';

/** The spec to resume from. Throws for a run that did not plan its own trials. */
export async function specToResume(stored: StoredRun, manifest: Manifest): Promise<RunSpec> {
  const { id, kind, sourceRunId, mergedFrom } = manifest;
  if (mergedFrom !== undefined) {
    throw notResumable(
      `${id} is merged from ${mergedFrom.join(', ')}`,
      'resume each of these runs with assay resume, then merge them again',
    );
  }
  if (kind === 'grade') {
    throw notResumable(
      `${id} is a grade run, which cannot be resumed`,
      `grade the source again: assay grade ${sourceRunId ?? ''}`,
    );
  }
  const spec = await stored.spec();
  if (spec !== undefined) return spec;
  throw notResumable(
    `${id} has no run spec: the run spec was deleted, or the run was planned by an earlier version of assay`,
    'start it again with assay run, or resume it with the version of assay that started it',
  );
}

function notResumable(message: string, hint: string): AssayError {
  return new AssayError('run-not-resumable', message, { stage: 'plan', hint });
}
