import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import type { RunSettings } from '../../../authoring/config/run-settings.ts';
import { loadCodeSuites, type LoadedCodeSuites } from '../../../authoring/code/load.ts';
import { suiteWorkspace } from '../../../authoring/code/suite-workspace.ts';
import type { YamlContext } from '../../../authoring/yaml/load.ts';
import type { GraderPlugin } from '../../../core/plugin.ts';
import type { Problem } from '../../../core/problem.ts';
import type { RunnerInfo } from '../../../core/session-report.ts';
import type { WorkspacePlan } from '../../../core/test-case.ts';
import { codeGrader } from '../../running/code-suites/code-grader.ts';
import { entryReader } from './grade-entry.ts';
import { shownPath } from '../../project/project-root.ts';
import type { GraderShelf } from '../../registry.ts';
import { given } from '../../../lib/given.ts';

export interface CodeLoading {
  readonly cwd: string;
  readonly loaded: LoadedConfig | undefined;
  readonly run: RunSettings | undefined;
  readonly known: YamlContext;
  readonly shelf: GraderShelf;
  readonly runnerOf: (target: string) => RunnerInfo;
}

export interface LoadedCode extends LoadedCodeSuites {
  /** Graders, including the one that runs the functions of code suites. */
  readonly graders: readonly GraderPlugin[];
}

/** Loads code suites, with all problems of them and of their workspace in the config. */
export async function loadCode(files: readonly string[], loading: CodeLoading): Promise<LoadedCode> {
  const { cwd, known, run, runnerOf, shelf } = loading;
  const { hasJudge, projectRoot, targets } = known;
  const { plan, problems } = configWorkspace(loading);
  const code = await loadCodeSuites(files, {
    projectRoot,
    display: (path) => known.display(path),
    directory: run?.cwd ?? cwd,
    ...(run === undefined ? {} : { outputDirectory: run.outputDir }),
    ...given({ workspace: plan }),
  });
  const grader = codeGrader({
    hooks: code.hooks,
    assertTimeoutMs: run?.assertTimeoutMs ?? 60_000,
    hasJudge,
    runnerOf,
    // An assert function can use any grader.
    expectationOf: entryReader({ graders: await shelf.all(), targets, hasJudge, projectRoot }),
  });
  return { ...code, graders: [grader], problems: [...code.problems, ...problems] };
}

/** `run.workspace`, which applies to code suites without a workspace of their own. */
function configWorkspace({ loaded, run, cwd }: CodeLoading): {
  readonly plan?: WorkspacePlan;
  readonly problems: readonly Problem[];
} {
  if (loaded === undefined || run?.workspace === undefined) return { problems: [] };
  const { plan, faults } = suiteWorkspace(run.workspace, {
    directory: loaded.directory,
    key: '',
    fallback: run.cwd ?? cwd,
    outputDirectory: run.outputDir,
  });
  const file = shownPath(loaded.file ?? loaded.directory, cwd);
  return { plan, problems: faults.map((fault) => ({ file, ...fault })) };
}
