import type { SchemaFault } from './tool-schemas.ts';
import type { Problem } from '../../core/problem.ts';
import type { GraderPlugin, PartShelf } from '../../core/plugin.ts';
import type { VariantsSection } from '../config/variants-section.ts';
import type { EntryChecker } from './expectations.ts';
import type { FileLookup } from './file-lookup.ts';
import type { Fault, Path } from './fault.ts';
import type { Report } from './report.ts';
import type { Fragment } from './source.ts';

/** What loading needs to know about the project. */
export interface YamlContext {
  /** Absolute; the meaning of a leading `/` in a path. */
  readonly projectRoot: string;
  /** Gives a path as shown to people. */
  display(absolutePath: string): string;
  readonly graders: PartShelf<GraderPlugin>;
  /** Names of the config's targets; absent: names are not checked. */
  readonly targets?: ReadonlySet<string>;
  /** The command line names the targets, so that targets of cases are ignored and need not exist. */
  readonly targetsAreReplaced?: boolean;
  /** Makes the targets of a suite from its `execution.variants`. Absent: the config cannot be read. */
  variants?(section: VariantsSection, place: VariantsPlace): SuiteTargets;
  /** Called with the targets that each readable case names; undefined: none. */
  onTargets?(names: readonly string[] | undefined): void;
  /** Called with warnings. */
  onWarning?(warning: Problem): void;
  /** Whether a judge is configured for all evaluators. */
  readonly hasJudge: boolean;
  /** Absent: schemas of tools are not checked. */
  readonly schemaFault?: SchemaFault;
}

/** Where a suite defines variants. */
export interface VariantsPlace {
  readonly fragment: Fragment;
  /** Absolute folder of the suite's file. */
  readonly directory: string;
  readonly path: Path;
}

/** The variants of a suite, by which it runs instead of their base. */
export interface SuiteTargets {
  readonly base: string;
  readonly names: readonly string[];
  /** Paths start at the top of the suite. */
  readonly faults: readonly Fault[];
}

/** State that all parts of loading a suite share. */
export interface LoadScope {
  readonly context: YamlContext;
  readonly files: FileLookup;
  readonly report: Report;
  readonly checkEntry: EntryChecker;
}
