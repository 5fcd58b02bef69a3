import type { TrialResource } from '../../../../src/api/resources/trial.ts';
import { textOf } from '../../../../src/core/message.ts';
import type { TranscriptEntry } from '../../../../src/core/transcript.ts';
import { isObject } from '../../../../src/lib/json.ts';
import { EMPTY_DRAFT, type Draft } from '../../editor/draft.ts';

interface SeenTrial {
  readonly run: string;
  readonly trial: Pick<TrialResource, 'number' | 'case_id' | 'case_name' | 'difficulty'>;
  readonly entries: readonly TranscriptEntry[];
}

const MOST_NAME = 200;

/** A draft case of what happened in a trial: its first message, and each tool call of the agent once. */
export function draftOfTrial({ run, trial, entries }: SeenTrial): Draft {
  const first = entries.find((entry) => entry.type === 'message' && entry.role === 'user');
  const calls = new Set(entries.flatMap(callOf));
  const name = [...(trial.case_name ?? trial.case_id)].slice(0, MOST_NAME).join('');
  return {
    ...EMPTY_DRAFT,
    name: `From a run: ${name}`,
    description: `Made of trial ${trial.number} of the run ${run}.`,
    status: 'draft',
    difficulty: trial.difficulty === 'hard' ? 'hard' : 'normal',
    tags: 'from-run',
    initial_message: first?.type === 'message' ? textOf(first.parts) : '',
    expected_tool_calls:
      calls.size === 0
        ? ''
        : JSON.stringify(
            Array.from(calls, (call) => JSON.parse(call) as object),
            null,
            2,
          ),
  };
}

/** Calls of sub-agents are not the agent's own. */
function callOf(entry: TranscriptEntry): readonly string[] {
  if (entry.type !== 'tool-call' || entry.parentCallId !== undefined) return [];
  const { name: tool, input } = entry;
  return [JSON.stringify({ tool, expected_params: isObject(input) ? input : null })];
}
