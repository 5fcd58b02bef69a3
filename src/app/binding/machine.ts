import type { CaseFields } from '../../core/case-store.ts';
import type { CodeHooks } from '../../authoring/code/load.ts';
import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { RunSettings } from '../../authoring/config/run-settings.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import type { Problem } from '../../core/problem.ts';
import type { RunStore } from '../../core/run-store.ts';
import type { RunnerInfo } from '../../core/session-report.ts';
import type { Suite } from '../../core/test-case.ts';
import type { DefinedWorld } from '../../world/define-world.ts';

/** The loaded checkout with its environment and the store of runs. */
export interface Machine extends Project {
  readonly runs: RunStore;
  /** Absolute path. Cassette folders are relative to it. */
  readonly cwd: string;
}

/** A loaded project without problems. */
export interface Project {
  readonly loaded: LoadedConfig;
  readonly run: RunSettings;
  readonly suites: readonly Suite[];
  readonly code: CodeSuites;
  /** The measured content of stored cases, by digest. */
  readonly contents: ReadonlyMap<string, CaseFields>;
  /** Built-in graders, and the one that runs the functions of code suites. */
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  /** Stateful tools that mocks can name. */
  readonly worldsByTool: WorldsByTool;
  /** Absolute path. Suite ids are paths relative to it. */
  readonly projectRoot: string;
  /** Warnings about the suite files. */
  readonly warnings: readonly Problem[];
}

export interface CodeSuites {
  /** Functions of the cases. */
  readonly hooks: CodeHooks;
  /** A target in the form of code suites: as written, without values of the environment. */
  readonly runnerOf: (target: string) => RunnerInfo;
}

/** A world module of the config, with stateful tools. */
export interface RegisteredWorld {
  /** Path as shown to people. */
  readonly file: string;
  /** sha-256 of the module and its local imports. */
  readonly digest: string;
  readonly world: DefinedWorld;
}

/** The world of each tool that mocks can name as their handler. */
export type WorldsByTool = ReadonlyMap<string, RegisteredWorld>;
