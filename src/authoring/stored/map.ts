import type { Message } from '../../core/message.ts';
import type { Expectation, PlannedFault, TestCase } from '../../core/test-case.ts';
import type { Persona, SimulatedPlan } from '../../core/user.ts';
import { GRADE_THRESHOLD } from '../../core/grade.ts';
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
  /** `off`: expected outcomes are not judged, and each of them gets a grade that says so. */
  readonly outcomes: 'gate' | 'off';
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
  const made: { -readonly [Key in keyof TestCase]: TestCase[Key] } = {
    id: caseIdOf(loaded),
    name: stored.name,
    directory,
    tags: stored.tags,
    difficulty: stored.difficulty,
    input: inputOf(stored),
    user: userOf(stored),
    expectations: namedApart([...ownExpectations(stored, grading), ...grading.expectations]),
    threshold: thresholdOf(stored, grading),
    scoredIn: 'percent',
    digest: storedCaseDigest(stored),
  };
  // Member by member: to spread them takes several times as long, which 100,000 cases feel.
  if (expectsNothing(stored)) made.expectsNothing = true;
  if (grading.outcomes === 'off' && outcomesOf(stored) !== undefined) made.leavesOutcomes = true;
  if (stored.description !== null) made.description = stored.description;
  if (stored.max_turns !== null) made.maxTurns = stored.max_turns;
  if (file !== undefined) made.source = line === undefined ? { file } : { file, line };
  if (stored.status !== 'active') made.skip = { kind: stored.status };
  if (repeatFactor !== undefined) made.repeatFactor = repeatFactor;
  if (mocks.length > 0) made.mocks = mocks;
  if (faults.length > 0) made.faults = faults;
  if (loaded.movedMocks > 0) made.notes = [movedNote(loaded.movedMocks)];
  return made;
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
  if (persona === null && context === null) return ORDINARY;
  return {
    type: 'simulated',
    ...(persona === null ? {} : { persona: persona satisfies Persona }),
    ...(context === null ? {} : { context }),
  };
}

/** A person whom no case describes. */
const ORDINARY: SimulatedPlan = { type: 'simulated' };

/** The expectations of the case itself: one question to the judge, and tool calls that code checks. */
function ownExpectations(stored: StoredCase, grading: CaseGrading): readonly Expectation[] {
  const { metrics, toolCalls } = grading;
  const { expected_tool_calls: calls, evaluation_criteria_override: override } = stored;
  const criterion = override === null || override.trim() === '' ? undefined : override;
  const outcomes = judgedOutcomes(stored, grading);
  const isAsked = criterion !== undefined || metrics.length > 0 || outcomes !== undefined;
  const asked = criterion === undefined ? { metrics } : { metrics: [], criterion };
  const judge: Expectation = {
    name: 'judge',
    type: 'conversation_judge',
    weight: 1,
    config: {
      ...asked,
      outcomes: outcomes ?? {},
      calls: calls === null ? null : calls.every(isBare) ? calls : calls.map(bare),
    },
  };
  const tools: Expectation = {
    name: 'expected_tool_calls',
    type: 'expected_tool_calls',
    weight: 0,
    ...(toolCalls === 'gate' ? { required: GRADE_THRESHOLD } : {}),
    config: { calls: calls ?? [] },
  };
  return [
    ...(isAsked ? [judge] : []),
    ...(calls === null ? [] : [tools]),
    ...unjudgedOutcomes(stored, grading),
  ];
}

/** The expected outcomes that are judged. Undefined if the case has no outcomes or the run does not judge them. */
function judgedOutcomes(stored: StoredCase, { outcomes }: CaseGrading): JsonObject | undefined {
  return outcomes === 'off' ? undefined : outcomesOf(stored);
}

/** They decide nothing, but each trial names them. */
function unjudgedOutcomes(stored: StoredCase, { outcomes }: CaseGrading): readonly Expectation[] {
  const expected = outcomes === 'off' ? outcomesOf(stored) : undefined;
  if (expected === undefined) return [];
  const config = { labels: Object.keys(expected) };
  return [{ name: 'expected_outcomes', type: 'unjudged_outcomes', weight: 0, config }];
}

function expectsNothing(stored: StoredCase): boolean {
  const { expected_tool_calls: calls, evaluation_criteria_override: override } = stored;
  return outcomesOf(stored) === undefined && calls === null && (override ?? '').trim() === '';
}

type Call = NonNullable<StoredCase['expected_tool_calls']>[number];

function bare({ tool, expected_params }: Call): Call {
  return { tool, expected_params };
}

/** Whether a call has these two members alone, in this order: then its list is taken as it is, and written only once. */
function isBare(call: Call): boolean {
  const keys = Object.keys(call);
  return keys.length === 2 && keys[0] === 'tool' && keys[1] === 'expected_params';
}

/** `{}` means the same as null. */
function outcomesOf({ expected_outcomes: outcomes }: StoredCase): JsonObject | undefined {
  return outcomes === null || Object.keys(outcomes).length === 0 ? undefined : outcomes;
}

function thresholdOf(stored: StoredCase, grading: CaseGrading): number {
  const { scoreGate, passThreshold } = grading;
  const gates = scoreGate === 'auto' ? judgedOutcomes(stored, grading) === undefined : scoreGate === 'always';
  return gates ? passThreshold / 100 : 0;
}
