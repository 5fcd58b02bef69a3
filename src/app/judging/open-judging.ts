import { processEnvironment } from '../../authoring/config/resolve-target.ts';
import type { JudgeChoice } from '../../core/judge.ts';
import type { Ledger } from '../../core/price.ts';
import type { GraderServices } from '../../core/plugin.ts';
import { AuthoringError, type Problem } from '../../core/problem.ts';
import type { RunStore } from '../../core/run-store.ts';
import type { Suite } from '../../core/test-case.ts';
import type { PlannedCase } from '../../engine/plan.ts';
import { given } from '../../lib/given.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import { judgeFaults, judgeNames, judgesIn, judgeTargets } from '../binding/choose-judge.ts';
import { judgeIdentity } from '../planning/judge-identity.ts';
import { redactorFor } from '../binding/redactor.ts';
import { caseDigester, createDigestList } from '../planning/digests.ts';
import { judgeFinder } from '../binding/judges.ts';
import type { Project } from '../binding/machine.ts';
import { modelKeyFaults } from '../binding/model-key-faults.ts';
import { modelSecretNames, openModels } from '../binding/models.ts';
import { projectSecrets } from './project-secrets.ts';
import { unknownCostsOfJudges, type MoneyOptions } from '../binding/run-money.ts';
import type { Cassette, RunOptions } from '../../core/run-options.ts';
import { storedAnswers } from '../binding/stored-answers.ts';
import { openTargetPool, runVariables } from '../binding/target-pool.ts';
import { type TargetUse, useTargets } from '../binding/use-targets.ts';

/** The judges of cases that are graded without a run. */
export interface JudgesOnly {
  /** Value of `--judge`. */
  readonly flag: string | undefined;
  readonly use: TargetUse;
  readonly choices: readonly JudgeChoice[];
  readonly secretNames: readonly string[];
}

/**
 * Resolves the judges of all cases for these targets. Throws if one is missing, or if a cost limit is set and a judge has
 * no price.
 */
export async function resolveJudges(
  project: Project,
  asked: Partial<Pick<RunOptions, 'judge'>> & MoneyOptions,
  targets: readonly string[],
): Promise<JudgesOnly> {
  const { problems, ...judges } = judgesOf(project, asked, targets);
  const all = [...problems, ...(await unknownCosts(project, judges, asked))];
  if (all.length > 0) throw new AuthoringError(all);
  return judges;
}

function judgesOf(
  project: Project,
  { judge: flag, cassette }: Partial<Pick<RunOptions, 'judge' | 'cassette'>>,
  targets: readonly string[],
): JudgesOnly & { readonly problems: readonly Problem[] } {
  const { loaded, suites, run } = project;
  const digests = createDigestList();
  const digestsOf = caseDigester({ ...project, digests, identityOf: judgeIdentity(loaded, flag) });
  const cases = suites.flatMap((suite, position) => casesOf(suite, position, { targets, digestsOf }));
  const names = judgeNames(loaded, flag);
  const named = judgeTargets({ suites, cases }, names);
  const use = useTargets(named.targets, loaded, flag === undefined ? {} : { flag: '--judge' });
  const keys = modelKeyFaults({ loaded, uses: [use], cases, names, cassette });
  const problems = [...use.problems, ...named.problems, ...judgeFaults(loaded, cases), ...keys];
  const secretNames = [...use.secretNames, ...modelSecretNames(loaded), ...run.redact.names];
  return { flag, use, choices: judgesIn(cases, names), secretNames, problems };
}

async function unknownCosts(
  project: Project,
  { choices, use, secretNames }: JudgesOnly,
  options: MoneyOptions,
): Promise<readonly Problem[]> {
  const { loaded, run } = project;
  const redactor = redactorFor(projectSecrets(project, secretNames));
  const door = openModels({ loaded, cassette: undefined, cwd: loaded.directory, seed: 0, redactor });
  return await unknownCostsOfJudges({ choices, targets: use.targets, limits: run.limits }, door, options);
}

export interface JudgingRequest {
  readonly project: Project;
  readonly judges: JudgesOnly;
  readonly cassette: Cassette | undefined;
  readonly seed: number;
  readonly redactor: Redactor;
  /** Absent: no cost limit. */
  readonly ledger: Ledger | undefined;
  readonly runId: string;
  /** Absolute path of the new run. Absent: no run is created. */
  readonly outputDirectory?: string;
  /** Stored runs and working directory, for judges that replay. */
  readonly place: { readonly runs: RunStore; readonly cwd: string };
}

/** The services of graders when no target runs. Closing them closes judges that are targets. */
export function openJudging(request: JudgingRequest): {
  readonly services: Omit<GraderServices, 'directory' | 'graderFor'>;
} & AsyncDisposable {
  const { project, judges, redactor, place, runId, outputDirectory, cassette, seed, ledger } = request;
  const { loaded, run } = project;
  const { targets } = judges.use;
  const models = openModels({ loaded, cassette, cwd: place.cwd, seed, redactor, ledger });
  const told = { runId, ...given({ outputDirectory }) };
  const pool = openTargetPool({
    runId,
    targets,
    directory: loaded.directory,
    models,
    storedRun: (reference) => storedAnswers(reference, place.runs),
  });
  return {
    services: {
      environment: { ...processEnvironment(loaded.environment), ...runVariables(told) },
      models,
      redact: redactor.text,
      judgeFor: judgeFinder({
        names: judgeNames(loaded, judges.flag),
        models,
        targets,
        prepared: pool.prepared,
        purse: { ledger, limits: run.limits },
      }),
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
}

function casesOf(
  suite: Suite,
  position: number,
  {
    targets,
    digestsOf,
  }: { readonly targets: readonly string[]; readonly digestsOf: ReturnType<typeof caseDigester> },
): readonly Pick<PlannedCase, 'suite' | 'index' | 'id' | 'targets' | 'digests'>[] {
  return Array.from({ length: suite.cases.length }, (_, index) => {
    const testCase = suite.cases.at(index);
    return { suite: position, index, id: testCase.id, targets, digests: digestsOf(testCase) };
  });
}
