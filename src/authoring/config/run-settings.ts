import { resolve } from 'node:path';

import { DEFAULT_THRESHOLD, type Limits, mergeLimits } from '../../core/limits.ts';
import type { Problem } from '../../core/problem.ts';
import type { DifficultyWeights, PlannedFault } from '../../core/test-case.ts';
import { given } from '../../lib/given.ts';
import { expand } from './expand.ts';
import type { LoadedConfig } from './load-config.ts';
import { problemAt } from './locate.ts';
import type { Config } from './published-spellings.ts';

type WrittenRun = Config['run'];

/** `run` of the config, completed with defaults. */
export interface RunSettings {
  /** Absolute. */
  readonly outputDir: string;
  /** Number of concurrent trials. */
  readonly concurrency: number;
  /** Set only when it was written: then trials of one shared directory may run at the same time. */
  readonly schedule?: WrittenRun['schedule'];
  readonly repeat: number;
  readonly threshold: number;
  readonly retryInfrastructure: number;
  /** Whether answers of earlier runs are used again. */
  readonly cache?: boolean;
  readonly limits: Limits;
  readonly maxErrored: number;
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
  readonly seed?: number;
  /** Absolute. */
  readonly cwd?: string;
  /** Its paths are as written, relative to the config. */
  readonly workspace?: WrittenRun['workspace'];
  /** Absolute. */
  readonly workspaceRoot?: string;
  /** Time limit of one hook, in milliseconds. */
  readonly assertTimeoutMs: number;
  /** With our names, each `NAME` or `NAME=FILE`; files and modules are absolute. */
  readonly reporters: readonly string[];
  /** Further variables with secret values, and regular expressions of secrets. */
  readonly redact: { readonly names: readonly string[]; readonly patterns: readonly string[] };
  /** Evaluator entries for every stored case, as written. */
  readonly expectations: NonNullable<WrittenRun['expectations']>;
  /** The evaluators come from a request, so they may start no program and name no file. */
  readonly areExpectationsRequested?: true;
  /** Planned misbehaviour of tools, in every stored case. */
  readonly faults: readonly PlannedFault[];
  readonly difficultyWeights: DifficultyWeights;
  /** Token baselines of code suites. */
  readonly snapshots: SnapshotSettings;
}

export interface SnapshotSettings {
  /** Whether the config asks for them. */
  readonly isWanted: boolean;
  /** Absolute. */
  readonly path: string;
  readonly metric: NonNullable<NonNullable<Config['snapshots']>['metric']>;
  readonly tolerance: { readonly absolute?: number | undefined; readonly percent?: number | undefined };
}

/** The settings of runs, with environment variables replaced. */
export function runSettings(loaded: LoadedConfig): {
  readonly settings: RunSettings;
  readonly problems: readonly Problem[];
} {
  const { value: run, faults: unset } = expand(loaded.config.run, loaded.environment, ['run']);
  const absolute = (path: string): string => resolve(loaded.directory, path);
  const {
    cwd,
    workspaceRoot,
    outputDir = '.assay/runs',
    limits,
    redact,
    reporters = [],
    faults,
    ...rest
  } = run;
  const settings = {
    concurrency: 10,
    repeat: 1,
    threshold: DEFAULT_THRESHOLD,
    retryInfrastructure: 1,
    maxErrored: 0,
    assertTimeoutMs: 60_000,
    tags: [],
    excludeTags: [],
    expectations: [],
    difficultyWeights: { normal: 1, hard: 1 },
    // A module can export `undefined`, which means the default too.
    ...(given(rest) as Partial<RunSettings>),
    outputDir: absolute(outputDir),
    ...(cwd === undefined ? {} : { cwd: absolute(cwd) }),
    ...(workspaceRoot === undefined ? {} : { workspaceRoot: absolute(workspaceRoot) }),
    reporters: reporters.map((reporter) => absoluteReporter(reporter, absolute)),
    faults: (faults ?? []).map((written) => given(written)),
    redact: { names: redact?.names ?? [], patterns: redact?.patterns ?? [] },
    limits: mergeLimits(limits as Partial<Limits> | undefined),
    snapshots: snapshotSettings(loaded.config.snapshots, absolute),
  };
  return { settings, problems: unset.map((fault) => problemAt(loaded.origin, fault)) };
}

function snapshotSettings(
  written: Config['snapshots'],
  absolute: (path: string) => string,
): SnapshotSettings {
  const { path = 'assay.snapshots.json', metric = 'totalTokens', tolerance = {} } = written ?? {};
  return { isWanted: written !== undefined, path: absolute(path), metric, tolerance };
}

function absoluteReporter(reporter: string, absolute: (path: string) => string): string {
  const [name = '', ...file] = reporter.split('=');
  const module = name.startsWith('.') ? absolute(name) : name;
  return file.length === 0 ? module : `${module}=${absolute(file.join('='))}`;
}
