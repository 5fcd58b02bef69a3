import { AssayError, MeasurementError, messageOf } from '../../core/errors.ts';
import type { ModelDoor } from '../../core/model.ts';
import type { StoredAnswers, TargetPlugin, TargetSettings } from '../../core/plugin.ts';
import type { Target, TargetVersions } from '../../core/target.ts';
import type { ResourceLimit, Sandbox, SandboxSettings } from '../../core/sandbox.ts';
import { given } from '../../lib/given.ts';
import type { AddressGuard } from '../../lib/http/address-guard.ts';
import { unlessAborted } from '../../lib/time/unless-aborted.ts';
import { openSandbox } from '../../sandboxes/open-sandbox.ts';
import type { Unavailable } from '../../sandboxes/unavailable.ts';
import { askedWithin } from './asked-within.ts';

/** A target of the plan. */
export interface UsedTarget {
  readonly settings: TargetSettings;
  readonly plugin: TargetPlugin;
  /** The complete environment of its processes. */
  readonly environment: Readonly<Record<string, string>>;
  /** The complete environment of the user who started assay. */
  readonly operatorEnvironment: Readonly<Record<string, string>>;
  /** Where its programs run; absent: it starts none. */
  readonly sandbox?: SandboxSettings;
  /** The id of the image of its sandbox. */
  readonly imageId?: string;
  /** Why that id is not known. */
  readonly imageFault?: Unavailable;
  /** What it may connect to; absent: anything. */
  readonly addresses?: AddressGuard;
}

/** The targets of a run. Each is created and prepared once, at its first trial. */
export interface TargetPool extends AsyncDisposable {
  /** The prepared target. Rejects with an error that ends every trial of the target, or when the signal aborts. */
  prepared(name: string, signal: AbortSignal): Promise<Target>;
  /** The limits of a target's sandbox that it does not enforce. */
  unenforced(name: string): readonly ResourceLimit[];
  /** Program versions that prepared targets report. */
  versions(): TargetVersions;
}

export interface TargetPoolOptions {
  readonly runId: string;
  readonly targets: ReadonlyMap<string, UsedTarget>;
  readonly directory: string;
  readonly models: ModelDoor;
  readonly storedRun: (reference: string) => Promise<StoredAnswers>;
  /** Called with warnings of prepared targets. Default: ignored. */
  readonly warn?: (text: string) => void;
}

export function openTargetPool(options: TargetPoolOptions): TargetPool {
  const opened = new Map<string, { target: Target; ready: Promise<Target>; sandbox: Sandbox | undefined }>();
  const stop = new AbortController();

  const open = (name: string) => {
    const used = options.targets.get(name);
    if (used === undefined) throw unavailable(name, new Error('it is not configured'));
    const { addresses, operatorEnvironment } = used;
    const { directory } = options;
    const sandbox = used.sandbox && openSandbox(used.sandbox, { directory, operatorEnvironment });
    const { price, env, prompt } = used.settings;
    const target = used.plugin.create(used.settings.config, {
      name,
      directory,
      environment: { ...used.environment, ASSAY_RUN_ID: options.runId },
      operatorEnvironment,
      models: askedWithin(options.models, addresses),
      ...given({ env, price, addresses, prompt, sandbox }),
      storedRun: options.storedRun,
    });
    const ready = prepare(name, target, stop.signal).then((prepared) => {
      for (const note of prepared.notes?.() ?? []) options.warn?.(`${name}: ${note}`);
      return prepared;
    });
    const entry = { target, ready, sandbox };
    opened.set(name, entry);
    return entry;
  };

  return {
    prepared: async (name, signal) => await unlessAborted((opened.get(name) ?? open(name)).ready, signal),
    unenforced: (name) => opened.get(name)?.sandbox?.unenforced() ?? [],
    versions: () =>
      Object.fromEntries(
        [...opened].flatMap(([name, { target }]) => {
          const versions = target.versions?.();
          return versions === undefined ? [] : [[name, versions]];
        }),
      ),
    async [Symbol.asyncDispose]() {
      stop.abort(new Error('the run is over'));
      const all = [...opened.values()];
      await Promise.allSettled(all.map(({ target }) => target[Symbol.asyncDispose]?.()));
      await Promise.allSettled(all.map(({ sandbox }) => sandbox?.[Symbol.asyncDispose]?.()));
    },
  };
}

/** Environment variables for graders of a run. Agents do not get the output directory. */
export function runVariables({
  runId,
  outputDirectory,
}: {
  readonly runId: string;
  /** Absolute path of the run's output directory. Absent: nothing is written. */
  readonly outputDirectory?: string;
}): Readonly<Record<string, string>> {
  return {
    ASSAY_RUN_ID: runId,
    ...given({ ASSAY_OUTPUT_DIR: outputDirectory }),
  };
}

async function prepare(name: string, target: Target, signal: AbortSignal): Promise<Target> {
  try {
    await target.prepare?.(signal);
    return target;
  } catch (error) {
    throw error instanceof MeasurementError ? error : unavailable(name, error);
  }
}

function unavailable(name: string, error: unknown): MeasurementError {
  return new MeasurementError(`target "${name}" is not available: ${messageOf(error)}`, {
    stage: 'target',
    kind: 'target-unavailable',
    hint: error instanceof AssayError ? error.hint : undefined,
    cause: error,
  });
}
