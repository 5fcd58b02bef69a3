import { contentOf, questionOf, referenceOf } from '../code-judge-document.ts';
import { isAnswer, type ToolResultEntry, type TranscriptEntry } from '../../core/transcript.ts';
import type { Message } from '../../core/message.ts';
import type { GradedWorkspace, Subject } from '../../core/grade.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import { namedValue } from '../../lib/text/template.ts';
import type { MaterialLine } from './fence.ts';

/** A part of a trial for the judge, with its name in prompts. */
export interface MaterialPart {
  readonly name: string;
  readonly lines: readonly MaterialLine[];
}

/** Names of material between the fences; other names in a prompt are texts of the author. */
export const MATERIAL_NAMES = [
  'question',
  'answer',
  'reference',
  'input',
  'output',
  'transcript',
  'metadata',
  'sidecar',
  'changes',
] as const;

export type MaterialName = (typeof MATERIAL_NAMES)[number];

export function isMaterialName(name: string): name is MaterialName {
  return (MATERIAL_NAMES as readonly string[]).includes(name);
}

/** The part with a name or dotted name; undefined when the trial does not have it. */
export async function materialPart(dotted: string, subject: Subject): Promise<MaterialPart | undefined> {
  const [root = '', ...path] = dotted.split('.');
  if (!isMaterialName(root)) return undefined;
  if (path.length === 0) {
    const lines = await linesOf(root, subject);
    return lines === undefined ? undefined : { name: root, lines };
  }
  const value = namedValue(await valueOf(root, subject), path.join('.'));
  return value === undefined || value === null
    ? undefined
    : { name: dotted, lines: [{ label: dotted, value: value as JsonValue }] };
}

async function linesOf(name: MaterialName, subject: Subject): Promise<readonly MaterialLine[] | undefined> {
  switch (name) {
    case 'input':
      return messageLines('input', subject.case.input);
    case 'output':
      return spoken(subject).map(({ turn, value }) => ({ label: `output [${turn}] agent`, value }));
    case 'transcript':
      return transcriptLines(subject);
    default: {
      const value = await valueOf(name, subject);
      return value === undefined ? undefined : [{ label: name, value }];
    }
  }
}

async function valueOf(name: MaterialName, subject: Subject): Promise<JsonValue | undefined> {
  const { case: testCase, workspace } = subject;
  switch (name) {
    case 'question':
      return questionOf(subject);
    case 'answer':
      return subject.answer;
    case 'reference':
      return testCase.expectedOutput === undefined ? undefined : referenceOf(testCase.expectedOutput);
    case 'input':
      return testCase.input.map(({ role, parts }) => ({ role, content: contentOf(parts) }));
    case 'output':
      return spoken(subject).map(({ value }) => ({ role: 'assistant', content: value }));
    case 'transcript':
      return transcriptLines(subject).map(({ label, value }) => `${label}: ${JSON.stringify(value)}`);
    case 'metadata':
      return testCase.metadata;
    case 'sidecar':
      return testCase.sidecar;
    case 'changes':
      return workspace === undefined ? undefined : await changesOf(workspace);
    default:
      return name satisfies never;
  }
}

function messageLines(label: string, messages: readonly Message[]): readonly MaterialLine[] {
  return messages.map(({ role, parts }) => ({ label: `${label} ${role}`, value: contentOf(parts) }));
}

function spoken({ transcript }: Subject): readonly { readonly turn: number; readonly value: JsonValue }[] {
  return transcript.flatMap((entry) =>
    isAnswer(entry) && entry.type === 'message' ? [{ turn: entry.turn, value: contentOf(entry.parts) }] : [],
  );
}

/** All events, one line each; the agent's reasoning is left out. */
export function transcriptLines({ transcript }: Pick<Subject, 'transcript'>): readonly MaterialLine[] {
  return transcript.flatMap((entry) => {
    const said = entryLine(entry);
    return said === undefined ? [] : [{ label: `[${entry.turn}] ${said.label}`, value: said.value }];
  });
}

function entryLine(entry: TranscriptEntry): MaterialLine | undefined {
  switch (entry.type) {
    case 'message':
      if (entry.phase === 'thinking') return undefined;
      return { label: entry.role === 'assistant' ? 'agent' : entry.role, value: contentOf(entry.parts) };
    case 'tool-call':
      return { label: 'tool call', value: { tool: entry.name, input: entry.input } };
    case 'tool-result':
      return { label: resultLabel(entry), value: entry.output };
    case 'usage':
      return undefined;
    default:
      return entry satisfies never;
  }
}

function resultLabel({ failed, fault }: ToolResultEntry): string {
  const label = failed === true ? 'tool error' : 'tool result';
  return fault === undefined ? label : `${label} (planned fault)`;
}

async function changesOf(workspace: GradedWorkspace): Promise<JsonValue> {
  return (await workspace.changes()).map(({ path, change, diff, omitted }): JsonObject => ({
    path,
    change,
    ...given({ omitted, diff }),
  }));
}
