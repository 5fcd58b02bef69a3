import type { Subject } from '../core/grade.ts';
import { jsonOf, type Message, type Part, textOf, type WrittenCall } from '../core/message.ts';
import { type EntryPlace, type ToolResultEntry, toolCalls, type Transcript } from '../core/transcript.ts';
import type { Usage } from '../core/usage.ts';
import type { FileChange } from '../core/file-change.ts';
import { given } from '../lib/given.ts';
import type { JsonObject, JsonValue } from '../lib/json.ts';
import type {
  GraderChanges,
  GraderInput,
  GraderMessage,
  GraderToolCall,
  GraderTrace,
} from './define-grader.ts';
import { snakeEntry, snakeUsage } from './code-judge-entry.ts';

/** The document for a code grader: our keys in snake_case, the user's data unchanged. */
export async function graderDocument(subject: Subject, config: JsonObject | undefined): Promise<GraderInput> {
  const { case: testCase, transcript, workspace } = subject;
  const expected = testCase.expectedOutput ?? [];
  return {
    test_id: testCase.id,
    target: subject.target,
    question: questionOf(subject),
    criteria: testCase.criteria ?? null,
    input: testCase.input.map(authoredMessage),
    expected_output: expected.map(authoredMessage),
    reference: referenceOf(expected),
    answer: subject.answer,
    output: agentMessages(transcript),
    transcript: transcript.map(snakeEntry),
    trace: traceOf(subject),
    metadata: testCase.metadata ?? null,
    sidecar: testCase.sidecar ?? null,
    workspace_path: workspace?.directory ?? null,
    changes: workspace === undefined ? null : changesOf(await workspace.changes()),
    config: config ?? null,
  };
}

export function questionOf({ case: testCase, transcript }: Subject): string {
  const asked = transcript.findLast((entry) => entry.type === 'message' && entry.role === 'user');
  if (asked?.type === 'message') return textOf(asked.parts);
  return textOf(testCase.input.findLast((message) => message.role === 'user')?.parts ?? []);
}

/** The content of the last message. */
export function referenceOf(expected: readonly Message[]): JsonValue {
  const last = expected.at(-1);
  return last === undefined ? null : contentOf(last.parts);
}

function authoredMessage(message: Message): GraderMessage {
  const { role, parts, name, toolCalls: calls } = message;
  return {
    role,
    content: contentOf(parts),
    ...given({ name }),
    ...(calls === undefined ? {} : { tool_calls: calls.map(authoredCall) }),
  };
}

function authoredCall({ durationMs, ...call }: WrittenCall): GraderToolCall {
  return { ...call, ...given({ duration_ms: durationMs }) };
}

/** As YAML writes it: a text, a JSON value, or a list of typed parts. */
export function contentOf(parts: readonly Part[]): JsonValue {
  const json = jsonOf(parts);
  if (json !== undefined) return json;
  if (parts.every((part) => 'text' in part)) return textOf(parts);
  return parts.map((part): JsonObject => {
    if ('text' in part) return { type: 'text', value: part.text };
    if ('json' in part) return { type: 'json', value: part.json };
    return 'file' in part ? { type: 'file', value: part.file } : { type: 'image', value: part.image };
  });
}

interface Spoken {
  readonly turn: number;
  readonly content: JsonValue;
  readonly calls: GraderToolCall[];
}

/** A call belongs to the agent's message before it in the same turn. */
function agentMessages(transcript: Transcript): readonly GraderMessage[] {
  const results = new Map(toolCalls(transcript).map(({ call, result }) => [call, result]));
  const spoken: Spoken[] = [];
  for (const entry of transcript) {
    if (entry.type === 'message' && entry.role === 'assistant' && entry.phase !== 'thinking') {
      spoken.push({ turn: entry.turn, content: contentOf(entry.parts), calls: [] });
    }
    if (entry.type !== 'tool-call') continue;
    if (spoken.at(-1)?.turn !== entry.turn) spoken.push({ turn: entry.turn, content: '', calls: [] });
    const { name: tool, input, callId: id } = entry;
    spoken.at(-1)?.calls.push({ tool, input, id, ...resultOf(results.get(entry)) });
  }
  return spoken.map(({ content, calls }) => ({
    role: 'assistant',
    content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }));
}

function resultOf(result: (ToolResultEntry & EntryPlace) | undefined): Partial<GraderToolCall> {
  if (result === undefined) return {};
  const { output, durationMs } = result;
  return { output, ...given({ duration_ms: durationMs }) };
}

function traceOf({ transcript, measures }: Subject): GraderTrace {
  const byName = new Map<string, number>();
  let calls = 0;
  for (const entry of transcript) {
    if (entry.type !== 'tool-call') continue;
    byName.set(entry.name, (byName.get(entry.name) ?? 0) + 1);
    calls += 1;
  }
  const usage: Usage | undefined = measures.usage;
  return {
    tool_calls: calls,
    tool_names: [...byName.keys()],
    tool_calls_by_name: Object.fromEntries(byName),
    steps: measures.steps,
    turns: measures.turns,
    duration_ms: measures.durationMs,
    usage: usage === undefined ? null : snakeUsage(usage),
    cost_usd: measures.costUsd,
  };
}

function changesOf(changes: readonly FileChange[]): GraderChanges {
  const diffs = changes.flatMap(({ diff }) =>
    diff === undefined ? [] : [diff.endsWith('\n') ? diff : `${diff}\n`],
  );
  return {
    diff: diffs.join(''),
    files: changes.map(({ path, change, omitted }) => ({
      path,
      change,
      ...given({ omitted }),
    })),
  };
}
