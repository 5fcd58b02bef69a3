import { AssayError } from '../../core/errors.ts';

/** The two parts of `RUN#TARGET`. */
export function splitTarget(reference: string): { readonly run: string; readonly target?: string } {
  const hash = reference.lastIndexOf('#');
  if (hash < 0) return { run: reference };
  return { run: reference.slice(0, hash), target: reference.slice(hash + 1) };
}

/** The runs to choose from, oldest first, and where they are kept, for people. */
export interface KnownRuns {
  readonly ids: readonly string[];
  readonly place: string;
}

/** The id of the run meant by an id, the unique beginning of one, or `latest`. Throws `run-not-found` and `run-ambiguous`. */
export function meantRun(run: string, { ids, place }: KnownRuns): string {
  const found = run === 'latest' ? ids.slice(-1) : ids.filter((id) => id.startsWith(run) && run !== '');
  const exact = found.includes(run) ? run : found[0];
  if (exact !== undefined && (found.length === 1 || exact === run)) return exact;
  throw found.length > 1 ? ambiguous(run, found) : notFound(run, place);
}

function ambiguous(run: string, found: readonly string[]): AssayError {
  const list = found.slice(0, 5).join(', ');
  return new AssayError('run-ambiguous', `"${run}" is the beginning of ${found.length} runs: ${list}`, {
    stage: 'plan',
    hint: 'name more of its id',
  });
}

function notFound(run: string, place: string): AssayError {
  return new AssayError('run-not-found', `no run "${run}" in ${place}`, {
    stage: 'plan',
    hint: 'name a run directory, a run id, the beginning of one, or latest; assay runs lists them',
  });
}
