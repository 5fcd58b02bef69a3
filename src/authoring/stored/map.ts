import type { Message } from '../../core/message.ts';
import type { Expectation, PlannedFault, Skip, TestCase } from '../../core/test-case.ts';
import type { Persona, SimulatedPlan } from '../../core/user.ts';
import { GRADE_THRESHOLD } from '../../core/grade.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { namedApart } from '../yaml/expectations.ts';
import { storedCaseDigest } from './digest.ts';
import { caseIdOf, type LoadedCase } from './load.ts';
import type { StoredCase } from './schema.ts';

/** How a run grades stored cases. */
export interface CaseGrading {
  /** Used when a case has no own criteria; in the format of the conversation judge. */
  readonly metrics: readonly JsonObject[];
  /** Pass threshold, 0 to 100. */
  readonly passThreshold: number;
  /** Whether the score must reach the threshold; auto: only for cases without outcomes. */
  readonly scoreGate: 'auto' | 'always' | 'never';
  readonly toolCalls: 'gate' | 'report';
  /** Expectations of the run. */
  readonly expectations: readonly Expectation[];
}

/** A stored case as a run takes it. A case of the store has no file. */
export type TakenCase = Pick<
  LoadedCase,
  'id' | 'case' | 'directory' | 'mocks' | 'movedMocks' | 'repeatFactor'
> &
  Partial<Pick<LoadedCase, 'file' | 'line'>>;

/** Converts a stored case to a test case, with the faults of the run. */
export function testCaseOf(
  loaded: TakenCase,
  grading: CaseGrading,
  faults: readonly PlannedFault[] = [],
): TestCase {
  const { case: stored, file, line, directory, mocks, repeatFactor } = loaded;
  const skip = skipOf(stored);
  return {
    id: caseIdOf(loaded),
    name: stored.name,
    ...(stored.description === null ? {} : { description: stored.description }),
    ...(file === undefined ? {} : { source: line === undefined ? { file } : { file, line } }),
    directory,
    tags: stored.tags,
    difficulty: stored.difficulty,
    input: inputOf(stored),
    user: userOf(stored),
    ...(stored.max_turns === null ? {} : { maxTurns: stored.max_turns }),
    ...given({ skip, repeatFactor }),
    ...(mocks.length === 0 ? {} : { mocks }),
    ...(faults.length === 0 ? {} : { faults }),
    ...(loaded.movedMocks === 0 ? {} : { notes: [movedNote(loaded.movedMocks)] }),
    expectations: namedApart([...ownExpectations(stored, grading), ...grading.expectations]),
    threshold: thresholdOf(stored, grading),
    scoredIn: 'percent',
    digest: storedCaseDigest(stored),
  };
}

/** The note about mocks of older files, which were inside expected tool calls. */
export function movedNote(count: number): string {
  const what = count === 1 ? 'the one answer' : `the ${count} answers`;
  return `converted to tool mocks: ${what} in \`mock_responses\` of its expected tool calls (an old format)`;
}

/** A blank message is stored, but the run ignores it. */
function inputOf({ initial_message: text }: StoredCase): readonly Message[] {
  return text === null || text.trim() === '' ? [] : [{ role: 'user', parts: [{ text }] }];
}

function userOf({ persona, user_context: context }: StoredCase): SimulatedPlan {
  return {
    type: 'simulated',
    ...(persona === null ? {} : { persona: persona satisfies Persona }),
    ...(context === null ? {} : { context }),
  };
}

function skipOf({ status }: StoredCase): Skip | undefined {
  return status === 'active' ? undefined : { kind: status };
}

/** The expectations of the case itself: one question to the judge, and tool calls that code checks. */
function ownExpectations(stored: StoredCase, { metrics, toolCalls }: CaseGrading): readonly Expectation[] {
  const { expected_tool_calls: calls, evaluation_criteria_override: override } = stored;
  const criterion = override === null || override.trim() === '' ? undefined : override;
  const outcomes = outcomesOf(stored);
  const isAsked = criterion !== undefined || metrics.length > 0 || outcomes !== undefined;
  const judge: Expectation = {
    name: 'judge',
    type: 'conversation_judge',
    weight: 1,
    config: {
      metrics: criterion === undefined ? metrics : [],
      ...given({ criterion }),
      outcomes: outcomes ?? {},
      calls: calls === null ? null : calls.map(({ tool, expected_params }) => ({ tool, expected_params })),
    },
  };
  const tools: Expectation = {
    name: 'expected_tool_calls',
    type: 'expected_tool_calls',
    weight: 0,
    ...(toolCalls === 'gate' ? { required: GRADE_THRESHOLD } : {}),
    config: { calls: calls ?? [] },
  };
  return [...(isAsked ? [judge] : []), ...(calls === null ? [] : [tools])];
}

/** `{}` means the same as null. */
function outcomesOf({ expected_outcomes: outcomes }: StoredCase): JsonObject | undefined {
  return outcomes === null || Object.keys(outcomes).length === 0 ? undefined : outcomes;
}

function thresholdOf(stored: StoredCase, { scoreGate, passThreshold }: CaseGrading): number {
  const gates = scoreGate === 'auto' ? outcomesOf(stored) === undefined : scoreGate === 'always';
  return gates ? passThreshold / 100 : 0;
}
