import { basename, dirname, extname, relative } from 'node:path';

import type { CodeCase } from '../../core/code-suite.ts';
import { formatProblem, type Problem } from '../../core/problem.ts';
import type { Suite, TestCase, WorkspacePlan } from '../../core/test-case.ts';
import { messageOf } from '../../core/errors.ts';
import { given } from '../../lib/given.ts';
import { endForeignCode, lateScope } from '../../lib/modules/foreign-code.ts';
import { importModule } from '../../lib/modules/import-module.ts';
import { importProblem, type ImportedFile } from '../import-problem.ts';
import { checkCases, type ListedCase } from './check-cases.ts';
import { moduleDigest } from './module-digest.ts';
import { suiteWorkspace, type WorkspaceFault } from './suite-workspace.ts';
import { statusAt } from '../../lib/files/file-status.ts';

export type CodeHooks = (suite: string, caseId: string) => CodeCase | undefined;

export interface LoadedCodeSuites {
  /** Empty when there is any problem. */
  readonly suites: readonly Suite[];
  readonly hooks: CodeHooks;
  readonly problems: readonly Problem[];
}

export interface CodeContext {
  /** Absolute; suite ids are paths relative to it. */
  readonly projectRoot: string;
  /** Absolute; where runs are kept. */
  readonly outputDirectory?: string;
  /** The workspace of suites that export none. */
  readonly workspace?: WorkspacePlan;
  /** The agent's default working directory; absolute. */
  readonly directory: string;
  display(path: string): string;
}

/** Loads code suites. Returns either all of them, or all problems of any of them. */
export async function loadCodeSuites(
  files: readonly string[],
  context: CodeContext,
): Promise<LoadedCodeSuites> {
  const suites: Suite[] = [];
  const problems = new Map<string, Problem>();
  const cases = new Map<string, ReadonlyMap<string, CodeCase>>();
  for (const path of new Set(files)) {
    const loaded = await loadOne(path, context);
    for (const problem of loaded.problems) problems.set(formatProblem(problem), problem);
    if (loaded.suite === undefined) continue;
    suites.push(loaded.suite);
    cases.set(loaded.suite.id, loaded.cases);
  }
  const hooks: CodeHooks = (suite, caseId) => cases.get(suite)?.get(caseId);
  const all = [...problems.values()];
  return { suites: all.length === 0 ? suites : [], hooks, problems: all };
}

interface LoadedSuite {
  readonly suite?: Suite;
  readonly cases: ReadonlyMap<string, CodeCase>;
  readonly problems: readonly Problem[];
}

async function loadOne(path: string, context: CodeContext): Promise<LoadedSuite> {
  const file = context.display(path);
  const refuse = (...problems: Problem[]): LoadedSuite => ({ cases: new Map(), problems });
  if (statusAt(path)?.isFile() !== true) {
    return refuse({ file, code: 'suite-not-found', message: 'suite file not found' });
  }
  let since: ImportedFile['since'] = 'while-loading';
  try {
    const exports = unwrapped(await importModule(path));
    since = 'loaded';
    // Exports of a suite can be code too: getters.
    return endForeignCode(lateScope(path), () => suiteIn(exports, { path, file, context }));
  } catch (error) {
    const codes = { syntax: 'suite-load-failed', load: 'suite-load-failed' } as const;
    const problem = importProblem(error, { path, file, codes, since });
    return refuse(problem.message === '' ? { ...problem, message: `threw ${messageOf(error)}` } : problem);
  }
}

function suiteIn(exports: Exports, place: Place): LoadedSuite {
  const found = checkCases(exports['default'], place.file);
  const workspace = workspaceOf(exports['workspace'], place);
  const problems = [...found.problems, ...workspace.problems];
  if (problems.length > 0) return { cases: new Map(), problems };
  const suite = suiteOf(found.cases, { ...place, workspace: workspace.plan });
  return { suite, cases: new Map(found.cases.map((listed) => [listed.case.id, listed.case])), problems: [] };
}

type Exports = Readonly<Record<string, unknown>>;

/** CommonJS has one export: the suite, or an object with `default` and `workspace`. */
function unwrapped(exports: Exports): Exports {
  const whole = exports['default'];
  const keys = typeof whole === 'object' && whole !== null ? Object.keys(whole) : [];
  const isModule =
    keys.includes('default') && keys.every((key) => /^(?:default|workspace|__esModule)$/.test(key));
  return isModule ? (whole as Exports) : exports;
}

interface Place {
  readonly path: string;
  readonly file: string;
  readonly context: CodeContext;
}

function workspaceOf(
  written: unknown,
  { path, file, context }: Place,
): { readonly plan: WorkspacePlan; readonly problems: readonly Problem[] } {
  if (written === undefined)
    return { plan: context.workspace ?? { shared: { directory: context.directory } }, problems: [] };
  const { plan, faults } = suiteWorkspace(written, {
    directory: dirname(path),
    key: relative(context.projectRoot, path),
    fallback: context.directory,
    outputDirectory: context.outputDirectory,
  });
  const problem = (fault: WorkspaceFault): Problem => ({ file, ...fault });
  return { plan, problems: faults.map(problem) };
}

interface SuitePlace {
  readonly path: string;
  readonly context: CodeContext;
  readonly workspace: WorkspacePlan;
}

function suiteOf(listed: readonly ListedCase[], { path, context, workspace }: SuitePlace): Suite {
  const id = relative(context.projectRoot, path).replaceAll('\\', '/');
  const shared = {
    source: { file: context.display(path) },
    directory: dirname(path),
    module: moduleDigest(path),
    workspace,
  };
  const cases = listed.map((each) => ({ ...testCaseOf(each, id), ...shared }));
  return {
    id,
    name: basename(path, extname(path)).replace(/\.suite$/, ''),
    file: path,
    cases: {
      length: cases.length,
      at(index) {
        const found = cases[index];
        if (found === undefined) throw new RangeError(`case index out of range in ${id}: ${index}`);
        return found;
      },
    },
  };
}

function testCaseOf(
  { case: written, label }: ListedCase,
  suite: string,
): Omit<TestCase, 'directory' | 'module' | 'workspace' | 'source'> {
  const { id, prompt, tags = [], timeoutMs, expectedFail } = written;
  return {
    id,
    ...(label === undefined || label === id ? {} : { name: label }),
    tags: [...new Set(tags.map((tag) => tag.trim()))],
    input: [{ role: 'user', parts: [{ text: prompt }] }],
    // The single turn of such a case is its whole session.
    ...(timeoutMs === undefined ? {} : { limits: { turnTimeoutMs: timeoutMs, timeoutMs: null } }),
    ...given({ expectedFail }),
    expectations: [
      { name: 'assert', type: CODE_GRADER, weight: 1, required: 1, config: { suite, case: id } },
    ],
  };
}

/** The type of the only expectation in a case of a code suite. */
export const CODE_GRADER = 'code';
