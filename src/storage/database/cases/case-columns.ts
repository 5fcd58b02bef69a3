import type { CaseFields, KeptCase } from '../../../core/case-store.ts';
import type { JsonValue } from '../../../lib/json.ts';
import { sortSql } from '../sort-sql.ts';
import type { Selection } from './selection.ts';

/** All columns of a case. */
export const CASE_COLUMNS = `id, name, description, difficulty, tags, status, persona, initial_message, user_context,
  max_turns, expected_outcomes, expected_tool_calls, evaluation_criteria_override, created_at, updated_at`;

/** The columns of the fields, as declared for a list of JSON records. */
export const FIELD_RECORD = `name text, description text, difficulty text, tags text[], status text, persona text,
  initial_message text, user_context text, max_turns int, expected_outcomes text, expected_tool_calls text,
  evaluation_criteria_override text`;

/** SQL that reads the fields of such a record, in the order of `FIELD_NAMES`. */
export const FIELD_VALUES = `name, description, difficulty, tags, status, persona::jsonb, initial_message,
  user_context::jsonb, max_turns, expected_outcomes::jsonb, expected_tool_calls::jsonb, evaluation_criteria_override`;

export const FIELD_NAMES = FIELD_VALUES.replaceAll('::jsonb', '');

export interface CaseRow extends Readonly<Record<string, unknown>> {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly persona: string | null;
  readonly user_context: string | null;
  readonly expected_outcomes: string | null;
  readonly expected_tool_calls: string | null;
  /** These two where a set was selected. */
  readonly position?: number;
  readonly repetitions?: number;
}

/** The statement of a selection. `more`: SQL of further columns. */
export function selectCases(
  { from, where, order, sort }: Omit<Selection, 'parameters'>,
  limit?: number,
  more: readonly string[] = [],
): string {
  const member = order === 'position' ? ['position', 'repetitions'] : [];
  const columns = [CASE_COLUMNS, ...member, ...more].join(', ');
  const most = limit === undefined ? '' : ` limit ${limit}`;
  return `select ${columns} from ${from} where ${where} order by ${sort === undefined ? order : sortSql(sort)}${most}`;
}

/** Field by field: of 100,000 rows, copies with the rest of a row take several times as long. */
export function keptCase(row: CaseRow): KeptCase {
  const { position, repetitions } = row;
  const fields = {
    name: row['name'],
    description: row['description'],
    difficulty: row['difficulty'],
    tags: row['tags'],
    status: row['status'],
    persona: valueOf(row.persona),
    initial_message: row['initial_message'],
    user_context: valueOf(row.user_context),
    max_turns: row['max_turns'],
    expected_outcomes: valueOf(row.expected_outcomes),
    expected_tool_calls: valueOf(row.expected_tool_calls),
    evaluation_criteria_override: row['evaluation_criteria_override'],
  };
  const kept = {
    id: row.id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    fields: fields as unknown as CaseFields,
  };
  return position === undefined || repetitions === undefined
    ? kept
    : { ...kept, member: { position, repetitions } };
}

/** The fields as a record. Objects are passed as JSON text. */
export function recordOf(fields: CaseFields): Record<string, unknown> {
  return {
    ...fields,
    persona: textOf(fields.persona),
    user_context: textOf(fields.user_context),
    expected_outcomes: textOf(fields.expected_outcomes),
    expected_tool_calls: textOf(fields.expected_tool_calls as JsonValue),
  };
}

function valueOf(text: string | null): unknown {
  return text === null ? null : JSON.parse(text);
}

function textOf(value: JsonValue): string | null {
  return value === null ? null : JSON.stringify(value);
}
