import type { Message } from '../../core/message.ts';
import type { Expectation, Skip, TestCase } from '../../core/test-case.ts';
import type { Persona, SimulatedPlan } from '../../core/user.ts';
import { storedCaseDigest } from './digest.ts';
import { caseIdOf, type LoadedCase } from './load.ts';
import type { StoredCase } from './schema.ts';

/** The case that a stored case stands for; `expectations` are those of the run. */
export function testCaseOf(loaded: LoadedCase, expectations: readonly Expectation[]): TestCase {
  const { case: stored, file, line, directory } = loaded;
  const skip = skipOf(stored);
  const notes = notesOf(stored);
  return {
    id: caseIdOf(loaded),
    name: stored.name,
    ...(stored.description === null ? {} : { description: stored.description }),
    source: line === undefined ? { file } : { file, line },
    directory,
    tags: stored.tags,
    input: inputOf(stored),
    user: userOf(stored),
    ...(stored.max_turns === null ? {} : { maxTurns: stored.max_turns }),
    ...(skip === undefined ? {} : { skip }),
    expectations,
    ...(notes.length === 0 ? {} : { notes }),
    digest: storedCaseDigest(stored),
  };
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

/** What is written in a case and not graded yet. */
function notesOf(stored: StoredCase): readonly string[] {
  const waiting = (
    ['expected_outcomes', 'expected_tool_calls', 'evaluation_criteria_override'] as const
  ).filter((key) => stored[key] !== null);
  return waiting.length === 0
    ? []
    : [`not graded yet, the judge of conversations comes with a later release: ${waiting.join(', ')}`];
}
