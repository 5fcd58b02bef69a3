import { AssayError } from '../../core/errors.ts';

/** Splits `RUN#TARGET`. */
export function splitTarget(reference: string): { readonly run: string; readonly target?: string } {
  const hash = reference.lastIndexOf('#');
  if (hash < 0) return { run: reference };
  return { run: reference.slice(0, hash), target: reference.slice(hash + 1) };
}

/** The known run ids, oldest first, and the place to name in errors. */
export interface KnownRuns {
  readonly ids: readonly string[];
  readonly place: string;
}

/** Resolves a run id, its first characters, or `latest`. Throws `run-not-found` or `run-ambiguous`. */
export function meantRun(run: string, { ids, place }: KnownRuns): string {
  const found = run === 'latest' ? ids.slice(-1) : ids.filter((id) => id.startsWith(run) && run !== '');
  const exact = found.includes(run) ? run : found[0];
  if (exact !== undefined && (found.length === 1 || exact === run)) return exact;
  throw found.length > 1 ? ambiguous(run, found) : runNotFound(run, place);
}

function ambiguous(run: string, found: readonly string[]): AssayError {
  const list = found.slice(0, 5).join(', ');
  return new AssayError('run-ambiguous', `"${run}" matches ${found.length} runs: ${list}`, {
    stage: 'plan',
    hint: 'use more characters of the id',
  });
}

/** The error of a run that a place does not have. */
export function runNotFound(run: string, place: string): AssayError {
  return new AssayError('run-not-found', `no run "${run}" in ${place}`, {
    stage: 'plan',
    hint: 'use a run directory, a run id or its first characters, or latest; assay runs lists all runs',
  });
}
