import type { CodeHooks } from '../../authoring/code/load.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { RunSettings } from '../../authoring/config/run-settings.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import type { Problem } from '../../core/problem.ts';
import type { RunStore } from '../../core/run-store.ts';
import type { RunnerInfo } from '../../core/session-report.ts';
import type { Suite } from '../../core/test-case.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { DefinedWorld } from '../../world/define-world.ts';

/** What this machine has for a run: the checkout, loaded, with the environment around it, and where runs are kept. */
export interface Machine extends Project {
  readonly runs: RunStore;
  /** Absolute; what a cassette is relative to. */
  readonly cwd: string;
}

/** What people wrote, without a problem. */
export interface Project {
  readonly loaded: LoadedConfig;
  readonly run: RunSettings;
  readonly suites: readonly Suite[];
  readonly code: CodeSuites;
  /** What is measured of stored cases, by digest. */
  readonly contents: ReadonlyMap<string, JsonObject>;
  /** Those that come with assay, and the one that runs the functions of code suites. */
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  /** Tools with a state, which mocks name. */
  readonly handlers: Handlers;
  /** Absolute; ids of suites are paths relative to it. */
  readonly projectRoot: string;
  /** What is doubtful in the files of the suites. */
  readonly warnings: readonly Problem[];
}

/** What code suites bring beside their cases. */
export interface CodeSuites {
  /** Their functions. */
  readonly hooks: CodeHooks;
  /** A target as they name it; what it is is as written, without the environment. */
  readonly runnerOf: (target: string) => RunnerInfo;
}

/** A module of the config that brings tools with a state. */
export interface RegisteredWorld {
  /** As shown to people. */
  readonly file: string;
  /** sha-256 of the module and of its local imports. */
  readonly digest: string;
  readonly world: DefinedWorld;
}

/** The world of each tool that a mock can name as its handler. */
export type Handlers = ReadonlyMap<string, RegisteredWorld>;
