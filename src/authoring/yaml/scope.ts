import type { SchemaFault } from './tool-schemas.ts';
import type { Problem } from '../../core/problem.ts';
import type { GraderPlugin, PartShelf } from '../../core/plugin.ts';
import type { EntryChecker } from './expectations.ts';
import type { FileLookup } from './file-lookup.ts';
import type { Report } from './report.ts';

/** What loading needs to know of the project. */
export interface YamlContext {
  /** Absolute; what a leading `/` of a path means. */
  readonly projectRoot: string;
  /** A path as shown to people. */
  display(absolutePath: string): string;
  readonly graders: PartShelf<GraderPlugin>;
  /** Names that the config knows; absent: not checked. */
  readonly targets?: ReadonlySet<string>;
  /** The command line names the targets: those that cases name are not used, and need not be there. */
  readonly targetsAreReplaced?: boolean;
  /** Told what targets each case names that could be read; undefined: none. */
  onTargets?(names: readonly string[] | undefined): void;
  /** Told what is doubtful and keeps nothing from running. */
  onWarning?(warning: Problem): void;
  /** Whether a judge is configured for all evaluators. */
  readonly hasJudge: boolean;
  /** Absent: schemas of tools are not looked into. */
  readonly schemaFault?: SchemaFault;
}

/** What every part of loading one suite shares. */
export interface LoadScope {
  readonly context: YamlContext;
  readonly files: FileLookup;
  readonly report: Report;
  readonly checkEntry: EntryChecker;
}
