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
  /** In force where a case brings no criterion of its own; as the judge of conversations takes them. */
  readonly metrics: readonly JsonObject[];
  /** 0..100 */
  readonly passThreshold: number;
  /** Whether the score has to reach it; auto: of cases without outcomes. */
  readonly scoreGate: 'auto' | 'always' | 'never';
  readonly toolCalls: 'gate' | 'report';
  /** Those of the run. */
  readonly expectations: readonly Expectation[];
}

/** The case that a stored case stands for; the faults are those of the run. */
export function testCaseOf(
  loaded: LoadedCase,
  grading: CaseGrading,
  faults: readonly PlannedFault[] = [],
): TestCase {
  const { case: stored, file, line, directory, mocks } = loaded;
  const skip = skipOf(stored);
  return {
    id: caseIdOf(loaded),
    name: stored.name,
    ...(stored.description === null ? {} : { description: stored.description }),
    source: line === undefined ? { file } : { file, line },
    directory,
    tags: stored.tags,
    difficulty: stored.difficulty,
    input: inputOf(stored),
    user: userOf(stored),
    ...(stored.max_turns === null ? {} : { maxTurns: stored.max_turns }),
    ...given({ skip }),
    ...(mocks.length === 0 ? {} : { mocks }),
    ...(faults.length === 0 ? {} : { faults }),
    ...(loaded.movedMocks === 0 ? {} : { notes: [movedNote(loaded.movedMocks)] }),
    expectations: namedApart([...ownExpectations(stored, grading), ...grading.expectations]),
    threshold: thresholdOf(stored, grading),
    scoredIn: 'percent',
    digest: storedCaseDigest(stored),
  };
}

/** What is said of mocks that an older file has inside of expected tool calls. */
export function movedNote(count: number): string {
  const what = count === 1 ? 'the one answer' : `the ${count} answers`;
  return `${what} in \`mock_responses\` of its expected tool calls, as older files have them, became tool mocks`;
}

/** A blank message is stored, and is none when the case is run. */
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

/** What the case itself expects: of the judge, who is asked once, and of tools, which a program decides. */
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

/** `{}` says no more than null. */
function outcomesOf({ expected_outcomes: outcomes }: StoredCase): JsonObject | undefined {
  return outcomes === null || Object.keys(outcomes).length === 0 ? undefined : outcomes;
}

function thresholdOf(stored: StoredCase, { scoreGate, passThreshold }: CaseGrading): number {
  const gates = scoreGate === 'auto' ? outcomesOf(stored) === undefined : scoreGate === 'always';
  return gates ? passThreshold / 100 : 0;
}
