import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import type { RunSettings } from '../../../authoring/config/run-settings.ts';
import type { SuiteVariants } from '../../../authoring/config/suite-variants.ts';
import { loadYamlSuites, type LoadedSuites, type YamlContext } from '../../../authoring/yaml/load.ts';
import type { AskedCases } from '../../../authoring/stored/selector.ts';
import { formatProblem, type Problem } from '../../../core/problem.ts';
import type { Suite } from '../../../core/test-case.ts';
import { given } from '../../../lib/given.ts';
import type { askedTargets } from './asked-targets.ts';
import type { CodeLoading, LoadedCode } from './load-code.ts';
import { shownPath } from '../../project/project-root.ts';
import type { StoredContents } from './load-stored-suite.ts';
import { graderShelf } from '../../registry.ts';
import { schemaFault } from './tool-schemas.ts';
import type { CaseSource } from './case-source.ts';
import type { RunnerInfo } from '../../../core/session-report.ts';
import { sha256 } from '../../../lib/digest.ts';

interface SuiteLoading {
  readonly projectRoot: string;
  readonly cwd: string;
  readonly loaded: LoadedConfig | undefined;
  readonly run: RunSettings | undefined;
  readonly hasJudge: boolean;
  readonly omitted: ReadonlySet<string>;
  /** Stored test cases. Undefined: the files contain none. */
  readonly source: CaseSource | undefined;
  /** Selection of stored cases. */
  readonly select: AskedCases;
  readonly targetNames: readonly string[];
  readonly targetsAreReplaced: boolean;
  readonly onTargets: ReturnType<typeof askedTargets>['add'];
  readonly variants: SuiteVariants | undefined;
}

/** Suites of all formats, in the order of their files, with all their problems. */
export async function loadSuites(files: readonly string[], loading: SuiteLoading) {
  const { projectRoot, cwd, loaded, hasJudge } = loading;
  const shelf = graderShelf();
  const warnings = new Map<string, Problem>();
  const known: YamlContext = {
    projectRoot,
    display: (path: string) => shownPath(path, cwd),
    graders: shelf,
    ...(loaded === undefined ? {} : { targets: new Set(loading.targetNames) }),
    targetsAreReplaced: loading.targetsAreReplaced,
    onTargets: loading.onTargets,
    ...(loading.variants === undefined ? {} : { variants: loading.variants.add }),
    // A file that cannot be read in parts is read twice.
    onWarning: (warning) => warnings.set(formatProblem(warning), warning),
    hasJudge,
    schemaFault,
  };
  const ofCases = loading.source !== undefined ? (await import('../../../graders/index.ts')).caseGraders : [];
  const yaml = await loadData(
    files.filter((file) => !isCode(file)),
    loading,
    known,
  );
  const runnerOf = (target: string) => runnerInfo(target, loaded?.written.get(target)?.keys);
  const code = await loadCode(files.filter(isCode), { ...loading, known, shelf, runnerOf });
  const more = [...code.graders, ...ofCases].map((each) => [each.type, each] as const);
  return {
    suites: inOrder([...yaml.suites, ...code.suites]),
    sound: inOrder([...(yaml.sound ?? yaml.suites), ...code.suites]),
    contents: yaml.contents ?? new Map(),
    code: { hooks: code.hooks, runnerOf },
    graders: new Map([...shelf.loaded(), ...more]),
    problems: [...yaml.problems, ...code.problems],
    warnings: [...warnings.values()],
  };
}

function inOrder(suites: readonly Suite[]): readonly Suite[] {
  return suites.toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

/** Code suites and their workspace in the config. The modules for that are only loaded if needed. */
async function loadCode(files: readonly string[], loading: CodeLoading): Promise<LoadedCode> {
  if (files.length === 0 && loading.run?.workspace === undefined) return NO_CODE;
  return (await import('./load-code.ts')).loadCode(files, loading);
}

const NO_CODE: LoadedCode = { suites: [], hooks: () => undefined, graders: [], problems: [] };

/** Evals in YAML and JSONL, or stored test cases, which have the same extensions. */
async function loadData(
  files: readonly string[],
  { source, loaded, run, select, omitted }: SuiteLoading,
  known: YamlContext,
): Promise<LoadedSuites & StoredContents> {
  if (source === undefined) return await loadYamlSuites(files, known);
  const { expectations = [], areExpectationsRequested: isRequest, faults = [] } = run ?? {};
  const { loadStoredSuite } = await import('./load-stored-suite.ts');
  const isGradable = !['judge', 'metrics', 'run.expectations'].some((key) => omitted.has(key));
  const graded = isGradable ? loaded : undefined;
  const expected = { expectations, ...given({ isRequest }) };
  return await loadStoredSuite({ source, known, loaded: graded, ...expected, faults, select });
}

function isCode(file: string): boolean {
  return /\.[mc]?[jt]s$/i.test(file);
}

/** A target in the form of code suites. */
function runnerInfo(
  id: string,
  keys: { readonly type?: unknown; readonly model?: unknown } | undefined,
): RunnerInfo {
  const slug = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    id,
    pathKey: `${slug}--${sha256(id).slice(0, 8)}`,
    agent: { type: text(keys?.type), model: text(keys?.model) },
  };
}
