import type { CapturedAgent } from '../../core/plugin.ts';
import type { Subject } from '../../core/grade.ts';
import { textOf } from '../../core/message.ts';
import { openingOf } from '../../core/user.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { MaterialLine } from '../judge/fence.ts';
import { transcriptLines, type MaterialPart } from '../judge/material.ts';
import type { CallFinding } from './match-calls.ts';
import type { Metric } from './metrics.ts';

/** The questions to a conversation judge. */
export interface ConversationTask {
  readonly metrics: readonly Metric[];
  /** Labels and the description of each outcome. */
  readonly outcomes: JsonObject;
  /** Undefined when the case has no expectation about tool calls. */
  readonly calls: readonly CallFinding[] | undefined;
  readonly agent: CapturedAgent;
}

/** The part of the task that is the same for every case. */
export const TASK_WORDS = `Decide how the agent under test did in a conversation with a user. The material is that conversation, in order: every line of it begins with the number of its turn in brackets and says who speaks, which tool was called or what a tool gave back. Where a tool's answer is marked as a planned fault, the test made the tool misbehave; the agent was not told, and is judged by what it made of it.`;

const METRIC_WORDS = `# Metrics

Score each metric by itself and by its own rubric, with the level that fits best; a weakness under one is no reason to take anything off another.`;

const OUTCOME_WORDS = `# Outcomes

Each outcome is a label and a state. Say of each whether the transcript shows that state at its end. That something is so, or was done, needs evidence in the transcript, and the agent's word alone is none where a tool would have shown it. That something is not so, or was not done, holds when nothing in the transcript speaks against it.`;

const CALL_WORDS = `# Expected tool calls

A program has held the calls that this case expects against those that were made. Its findings are facts.`;

/** The task in words, without any text of the conversation. */
export function taskText({ metrics, outcomes, calls, agent }: ConversationTask): string {
  return [
    TASK_WORDS,
    ...notCaptured(agent),
    ...(metrics.length === 0 ? [] : [METRIC_WORDS, ...metrics.map(metricText)]),
    ...(Object.keys(outcomes).length === 0 ? [] : [OUTCOME_WORDS, outcomeLines(outcomes)]),
    ...(calls === undefined ? [] : [CALL_WORDS, callLines(calls)]),
  ].join('\n\n');
}

/** The conversation, and what is known about the agent. */
export function taskMaterial(
  subject: Pick<Subject, 'case' | 'transcript'>,
  { prompt, tools }: CapturedAgent,
): readonly MaterialPart[] {
  const { line } = openingOf(subject.case);
  const parts: readonly (readonly [string, JsonValue | undefined])[] = [
    ['instructions of the agent', prompt],
    ['tools of the agent', tools as JsonValue | undefined],
    ['first message of the user', line === undefined ? undefined : textOf(line.parts)],
  ];
  return [
    ...parts.flatMap(([name, value]): MaterialPart[] =>
      value === undefined ? [] : [{ name, lines: [{ label: name, value } satisfies MaterialLine] }],
    ),
    { name: 'transcript', lines: transcriptLines(subject) },
  ];
}

function notCaptured({ prompt, tools }: CapturedAgent): readonly string[] {
  const missing = [
    ...(prompt === undefined ? ['its instructions'] : []),
    ...(tools === undefined ? ['the list of its tools'] : []),
  ];
  if (missing.length === 0) return [];
  return [`Of the agent, ${missing.join(' and ')} were not captured: go by what the conversation shows.`];
}

function metricText({ id, displayName, kind, rubric }: Metric): string {
  const title = displayName === undefined ? id : `${id}: ${displayName}`;
  return `## ${title} (${kind === 'binary' ? 'passed or not' : 'score from 0 to 5'})\n\n${rubric.trim()}`;
}

function outcomeLines(outcomes: JsonObject): string {
  return Object.entries(outcomes)
    .map(([label, state]) => `- ${JSON.stringify(label)}: ${JSON.stringify(state)}`)
    .join('\n');
}

function callLines(calls: readonly CallFinding[]): string {
  if (calls.length === 0) return 'No tool was to be called.';
  return calls.map((call) => `- ${JSON.stringify(call)}`).join('\n');
}
