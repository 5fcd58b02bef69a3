import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import type { TestCase } from '../../core/test-case.ts';
import { checkConversations, endlessTalks, type Conversations } from './check-conversations.ts';
import { chooseUser } from '../binding/choose-user.ts';
import type { Problem } from '../../core/problem.ts';
import { type Illustrated, imageFaults, isIllustrated } from './image-faults.ts';
import { nothingToGrade } from './nothing-to-grade.ts';
import { shadowedMocks } from './unreachable-mocks.ts';
import { templateFaults } from './template-faults.ts';
import { ownSettingsList } from '../binding/trial-settings.ts';
import {
  isMocked,
  type Mocked,
  type MockedWith,
  runFaultProblems,
  targetMockFaults,
  worldFaults,
} from './world-faults.ts';
import type { GraderPlugin } from '../../core/plugin.ts';
import { given } from '../../lib/given.ts';
import { isOnPath } from '../../lib/process/is-on-path.ts';

export type CaseFacts = ReturnType<typeof collectCaseFacts>;

/** Collects facts about planned cases while the plan is made. */
export function collectCaseFacts(outputDirectory: string) {
  const own = ownSettingsList();
  const conversing = new Set<string>();
  const illustrated: Illustrated[] = [];
  const mocked: Mocked[] = [];
  const ungraded: Problem[] = [];
  const templates = templateFaults(outputDirectory);
  const programs = graderPrograms();
  return {
    ownSettings: own.list,
    /** Ids of cases with more than one message of the user. */
    conversing: conversing as ReadonlySet<string>,
    add(testCase: TestCase): void {
      own.add(testCase);
      if (testCase.user !== undefined) conversing.add(testCase.id);
      if (isIllustrated(testCase)) illustrated.push(testCase);
      if (isMocked(testCase)) mocked.push(testCase);
      templates.add(testCase);
      programs.add(testCase);
      const nothing = nothingToGrade(testCase);
      if (nothing !== undefined) ungraded.push(nothing);
    },
    /** Problems that prevent single cases from running on their targets. */
    faults: (use: MockedWith & GraderPlace): readonly Problem[] => [
      ...ungraded,
      ...programs.missing(use),
      ...templates.problems,
      ...imageFaults(illustrated, use.targetsOf, use.used),
      ...worldFaults(mocked, use),
      ...runFaultProblems(mocked, use),
      ...targetMockFaults(use),
    ],
    /** Warnings about mocks without effect. */
    warnings: (use: Pick<MockedWith, 'used' | 'loaded'>): readonly Problem[] => shadowedMocks(mocked, use),
  };
}

/** The choice of user, whether one is needed, and problems that prevent conversations. */
export function useUsers(loaded: LoadedConfig, talks: Omit<Conversations, 'user'>) {
  if (talks.ids.size === 0) return { user: undefined, isAsked: false, faults: [], warnings: [] };
  const { user, problems } = chooseUser(loaded);
  // If the named user is invalid, a missing user is not reported as well.
  const held = checkConversations({ ...talks, user });
  const faults = held.problems.filter(({ code }) => code !== 'no-user' || problems.length === 0);
  return {
    user,
    isAsked: held.isUserAsked,
    faults: [...problems, ...faults],
    warnings: user?.type === 'simulated' ? endlessTalks(talks, loaded.origin.file) : [],
  };
}

/** Where graders find their programs. */
interface GraderPlace {
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly loaded: Pick<LoadedConfig, 'directory' | 'environment'>;
}

/** Collects the types of graders, and finds programs of theirs that this machine does not have. */
function graderPrograms() {
  const firstOf = new Map<string, TestCase>();
  return {
    add(testCase: TestCase): void {
      for (const { type } of testCase.expectations) if (!firstOf.has(type)) firstOf.set(type, testCase);
    },
    /** Each told once, at the first test that needs it. */
    missing: ({ graders, loaded: { directory: cwd, environment: env } }: GraderPlace): readonly Problem[] =>
      [...firstOf].flatMap(([type, { id, source }]) => {
        const program = graders.get(type)?.program;
        if (program === undefined || isOnPath(program, { cwd, env })) return [];
        const place = { file: source?.file ?? id, ...given({ line: source?.line }) };
        const message = `test "${id}": grader ${type} needs ${program}, which was not found on PATH`;
        const hint = `install ${program}, or add it to PATH`;
        return [{ ...place, code: 'program-missing' as const, message, hint }];
      }),
  };
}
