import { AssayError } from '../../core/errors.ts';
import { AuthoringError } from '../../core/problem.ts';
import { takesStore } from '../../core/run-options.ts';
import type { StoredRun } from '../../core/run-store.ts';
import type { Store } from '../../core/store.ts';
import { given } from '../../lib/given.ts';
import { changesSince } from '../planning/changes-since.ts';
import { projectOfSpec } from '../planning/load/project-of-spec.ts';
import { bind, type BoundRun } from '../binding/bind.ts';
import { keyFaultsOf } from '../binding/model-key-faults.ts';
import type { Surroundings } from '../surroundings.ts';
import { assayVersion } from '../version.ts';
import { firstOfKinds } from './needed-cases.ts';
import { lackingHere } from './lacking-here.ts';

/** A run that this machine can execute, or why it cannot. */
export type BoundHere = { readonly bound: BoundRun } | { readonly refusal: string };

export interface BindRequest {
  readonly store: Store;
  readonly surroundings: Surroundings;
  /** Path of the config; absent: searched upward. */
  readonly config?: string | undefined;
  /** Ends the checks of sandboxes; the call then rejects. */
  readonly signal: AbortSignal;
}

/** Binds a run that another process conducts, if this checkout measures the same. */
export async function bindHere(stored: StoredRun, request: BindRequest): Promise<BoundHere> {
  const manifest = await stored.head();
  const { versions } = manifest;
  if (versions.assay !== assayVersion())
    return {
      refusal: `the run was planned by assay ${versions.assay}, and this worker is assay ${assayVersion()}`,
    };
  const spec = await stored.spec();
  if (spec === undefined) return { refusal: 'the run has no run spec' };
  try {
    const { config: _, ...options } = spec.options;
    const own = { ...options, ...given({ config: request.config }) };
    const { signal } = request;
    const places = takesStore(own) ? firstOfKinds(spec) : undefined;
    const specified = { stored, manifest, spec, ...given({ places }) };
    const project = await projectOfSpec(specified, own, request.surroundings);
    const changed = await changesSince(spec, manifest, { project, signal, places });
    if (changed.length > 0) return { refusal: `not the same here: ${changed.join(', ')}` };
    const { store, surroundings } = request;
    const bound = bind(spec, { ...project, runs: store.runs, cwd: surroundings.cwd });
    const faults = keyFaultsOf(bound);
    if (faults.length > 0) return { refusal: textOf(faults) };
    const lacking = await lackingHere(bound, signal);
    return lacking.length > 0 ? { refusal: lacking.join('; ') } : { bound };
  } catch (error) {
    if (error instanceof AuthoringError) return { refusal: textOf(error.problems) };
    if (error instanceof AssayError && error.code === 'sandbox-unavailable')
      return { refusal: error.message };
    throw error;
  }
}

function textOf(problems: AuthoringError['problems']): string {
  return problems.map(({ message }) => message).join('; ');
}
