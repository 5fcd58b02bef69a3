import type { ReporterContext } from '../../core/benchmark-reporter.ts';
import type { CodeCase } from '../../core/code-suite.ts';
import type { Sink } from '../../core/log.ts';
import { textOf } from '../../core/message.ts';
import type { Row } from '../../core/run.ts';
import type { StoredRun } from '../../core/run-store.ts';
import { knownCases, type TestCase } from '../../core/test-case.ts';
import { benchmarkSink, type ReportedSuite } from './benchmark-sink.ts';
import type { BoundRun } from '../binding/bind.ts';
import type { Presentation } from './presentation.ts';
import type { Reporter } from './reporters.ts';

export interface ReportedRun {
  readonly bound: BoundRun;
  readonly screen: Presentation['screen'];
  readonly ci: boolean;
  /** Folder of the command, absolute. */
  readonly cwd: string;
  readonly run: Pick<StoredRun, 'place' | 'placeOf' | 'rows'>;
}

/** The sinks that call these reporters. Rows that the run already has count in the results. */
export async function reporterSinks(
  reporters: readonly Pick<Reporter, 'type' | 'hooks'>[],
  run: ReportedRun,
): Promise<readonly Sink[]> {
  const told = reporters.flatMap(({ type, hooks }) => (hooks === undefined ? [] : [{ type, hooks }]));
  if (told.length === 0) return [];
  const suites = reportedSuites(run);
  const earlier: Row[] = [];
  for await (const row of run.run.rows()) earlier.push(row);
  return told.map(({ type, hooks }) => benchmarkSink(type, hooks, { suites, earlier }));
}

function reportedSuites({ bound, screen, ci, cwd, run }: ReportedRun): readonly ReportedSuite[] {
  const { plan, spec, machine } = bound;
  const { run: ofConfig, code } = machine;
  const { options, settings } = spec;
  const cases = [...plan.cases];
  return plan.suites.flatMap((suite, position): ReportedSuite[] => {
    const chosen = cases.filter((planned) => planned.suite === position);
    const first = chosen[0] && suite.cases.at(chosen[0].index);
    if (first === undefined) return [];
    const targets = [...new Set(chosen.flatMap((planned) => planned.targets))];
    const tags = Array.from(knownCases(suite.cases), (each) => each.tags);
    const selectedTags = options.tags ?? ofConfig.tags;
    const repeat = options.repeat ?? ofConfig.repeat;
    const context: ReporterContext = {
      isInteractive: screen.isTty && !ci,
      cwd,
      suitePath: suite.file,
      suiteRunArtifactDir: run.place,
      workspaceMode: modeOf(first),
      scheduleMode: settings.schedule ?? 'isolated-by-runner',
      selectedCaseCount: chosen.length,
      selectedRunnerCount: targets.length,
      selectedExecutionCount: chosen.reduce(
        (sum, { targets: own, repeat: times }) => sum + own.length * times,
        0,
      ),
      maxParallel: settings.concurrency,
      ...(repeat === 1 ? {} : { repeat }),
      ...(options.cases.length === 0 ? {} : { caseFilter: options.cases.join(',') }),
      ...(options.targets.length === 0 ? {} : { runnerFilter: options.targets.join(',') }),
      ...(selectedTags.length === 0 ? {} : { tagFilter: [...selectedTags] }),
      declaredTags: [...new Set(tags.flat())],
    };
    return [
      {
        id: suite.id,
        run,
        context,
        selectedTags,
        runners: targets.map(code.runnerOf),
        cases: chosen.map(({ index, targets: own, repeat: times }) => ({
          case: writtenCase(suite.cases.at(index), code.hooks(suite.id, suite.cases.at(index).id)),
          targets: own,
          repeat: times,
        })),
      },
    ];
  });
}

/** A case without code gets an empty `assert` function. */
function writtenCase({ id, input, tags }: TestCase, written: CodeCase | undefined): CodeCase {
  return written ?? { id, prompt: textOf(input.at(-1)?.parts ?? []), tags: [...tags], assert: () => {} };
}

function modeOf({ workspace }: TestCase): ReporterContext['workspaceMode'] {
  if (workspace === undefined) return 'none';
  const { shared, template, bootstrap } = workspace;
  if (shared === undefined) return 'isolated';
  return 'key' in shared || template !== undefined || bootstrap !== undefined ? 'shared' : 'none';
}
