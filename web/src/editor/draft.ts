import type { TestCaseResource } from '../../../src/api/resources/test-case.ts';
import { jsonLoss } from './json-loss.ts';
import { jsonMistake, type JsonMistake } from './json-mistake.ts';
import { areOutcomesJson, outcomesInLines, outcomesText } from './outcomes.ts';

/** A case as its form holds it: a text for each field. */
export type Draft = Readonly<Record<FieldName, string>>;

export type FieldName = (typeof FIELDS)[number]['name'];

/** How a field is edited. */
export type FieldKind = 'line' | 'text' | 'choice' | 'lines' | 'number' | 'json' | 'outcomes';

export interface Field {
  /** As the server names it in problems. */
  readonly name: string;
  readonly title: string;
  readonly kind: FieldKind;
  readonly help?: string;
  /** What it means that nothing is in it. */
  readonly ifEmpty?: string;
  readonly choices?: readonly string[];
  /** Not needed for a first case. */
  readonly isMore?: true;
}

/** In the order of the form. Those with `isMore` come last, and are hidden at first. */
export const FIELDS = [
  {
    name: 'name',
    title: 'Name',
    kind: 'line',
    help: 'What this case tests, such as: Refund of a broken lamp.',
  },
  {
    name: 'initial_message',
    title: 'First message of the user',
    kind: 'text',
    help: 'What the agent is asked.',
  },
  {
    name: 'expected_outcomes',
    title: 'Expected outcomes',
    kind: 'outcomes',
    help: 'What must be true at the end, one statement a line, such as: The refund was made. A language model decides each.',
    ifEmpty: 'Empty: only the checks and scores for all cases decide.',
  },
  {
    name: 'max_turns',
    title: 'Most turns',
    kind: 'number',
    help: '1: the agent answers once, without a simulated user. Empty: no limit.',
  },
  {
    name: 'description',
    title: 'Description',
    kind: 'text',
    help: 'What it exercises, for people.',
    isMore: true,
  },
  {
    name: 'status',
    title: 'Status',
    kind: 'choice',
    choices: ['draft', 'active', 'archived'],
    help: 'Runs take only active cases.',
    isMore: true,
  },
  { name: 'difficulty', title: 'Difficulty', kind: 'choice', choices: ['normal', 'hard'], isMore: true },
  { name: 'tags', title: 'Tags', kind: 'lines', help: 'One a line.', isMore: true },
  {
    name: 'persona.type',
    title: 'Persona: type',
    kind: 'line',
    help: 'Such as polite-customer.',
    isMore: true,
  },
  { name: 'persona.description', title: 'Persona: description', kind: 'text', isMore: true },
  {
    name: 'persona.instructions',
    title: 'Persona: instructions',
    kind: 'text',
    help: 'How the simulated user behaves.',
    isMore: true,
  },
  {
    name: 'user_context',
    title: 'What the user knows',
    kind: 'json',
    help: 'A JSON object with any keys. The simulated user is told it.',
    isMore: true,
  },
  {
    name: 'expected_tool_calls',
    title: 'Expected tool calls',
    kind: 'json',
    help: 'A JSON list: [{"tool": "refund", "expected_params": {"id": 7}}]. null: any parameters.',
    isMore: true,
  },
  {
    name: 'evaluation_criteria_override',
    title: 'Criteria instead of the usual ones',
    kind: 'text',
    help: 'The judge is told this text in place of the usual criteria.',
    isMore: true,
  },
  {
    name: 'tool_mocks',
    title: 'Tool mocks',
    kind: 'json',
    help: 'A JSON list: [{"tool": "refund", "params": {"id": 7}, "result": "done"}]. The first that matches answers.',
    isMore: true,
  },
] as const satisfies readonly Field[];

export const EMPTY_DRAFT: Draft = {
  ...(Object.fromEntries(FIELDS.map(({ name }) => [name, ''])) as Draft),
  status: 'active',
  difficulty: 'normal',
};

/** Whether somebody has begun to write a case that expects nothing. */
export function expectsNothing(draft: Draft): boolean {
  const isBlank = (name: FieldName) => draft[name].trim() === '';
  const isBegun = !isBlank('name') && !isBlank('initial_message');
  return isBegun && EXPECTING.every(isBlank);
}

const EXPECTING: readonly FieldName[] = [
  'expected_outcomes',
  'expected_tool_calls',
  'evaluation_criteria_override',
];

/** The form of a stored case. */
export function draftOf(fields: TestCaseResource, mocks: readonly object[]): Draft {
  const { persona } = fields;
  return {
    name: fields.name,
    description: fields.description ?? '',
    status: fields.status,
    difficulty: fields.difficulty,
    tags: fields.tags.join('\n'),
    initial_message: fields.initial_message ?? '',
    'persona.type': persona?.type ?? '',
    'persona.description': persona?.description ?? '',
    'persona.instructions': persona?.instructions ?? '',
    user_context: jsonOf(fields.user_context),
    max_turns: fields.max_turns === null ? '' : String(fields.max_turns),
    expected_outcomes: outcomesText(fields.expected_outcomes),
    expected_tool_calls: jsonOf(fields.expected_tool_calls),
    evaluation_criteria_override: fields.evaluation_criteria_override ?? '',
    tool_mocks: mocks.length === 0 ? '' : jsonOf(mocks),
  };
}

/** What a form says. */
export interface Written {
  /** As the API takes it; without fields that are not JSON. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Undefined: as they were. */
  readonly mocks: readonly unknown[] | undefined;
  readonly mistakes: ReadonlyMap<FieldName, JsonMistake>;
}

/** `base`: what the edit began with; then only what differs from it is written. */
export function writtenIn(draft: Draft, base?: Draft): Written {
  const values = new Map<string, unknown>();
  const mistakes = new Map<FieldName, JsonMistake>();
  for (const { name, kind } of FIELDS) {
    const text = draft[name];
    if (text === base?.[name]) continue;
    const mistake = isJson(text, kind) ? (jsonMistake(text) ?? jsonLoss(text)) : undefined;
    if (mistake !== undefined) mistakes.set(name, mistake);
    else if (name.startsWith('persona.')) values.set('persona', personaOf(draft));
    else values.set(name, valueOf(text, kind));
  }
  const { tool_mocks: mocks, ...fields } = Object.fromEntries(values);
  if (mocks !== undefined && mocks !== null && !Array.isArray(mocks)) {
    mistakes.set('tool_mocks', { at: 0, message: 'expected a JSON list of mocks' });
  }
  const list = Array.isArray(mocks) ? mocks : [];
  return { fields, mocks: draft.tool_mocks === base?.tool_mocks ? undefined : list, mistakes };
}

function isJson(text: string, kind: FieldKind): boolean {
  return kind === 'outcomes' ? areOutcomesJson(text) : kind === 'json' && text.trim() !== '';
}

function valueOf(text: string, kind: FieldKind): unknown {
  switch (kind) {
    case 'json':
      return text.trim() === '' ? null : JSON.parse(text);
    case 'outcomes':
      return isJson(text, kind) ? JSON.parse(text) : outcomesInLines(text);
    case 'lines':
      return text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '');
    case 'number':
      // A text instead of a number is sent unchanged: the server says what is wrong with it.
      return text.trim() === '' ? null : Number.isNaN(Number(text)) ? text : Number(text);
    case 'line':
    case 'choice':
      return text;
    case 'text':
      return text === '' ? null : text;
    default:
      return kind satisfies never;
  }
}

function personaOf(draft: Draft): object | null {
  const persona = {
    type: draft['persona.type'],
    description: draft['persona.description'],
    instructions: draft['persona.instructions'],
  };
  return Object.values(persona).every((text) => text === '') ? null : persona;
}

function jsonOf(value: unknown): string {
  return value === null ? '' : JSON.stringify(value, null, 2);
}
