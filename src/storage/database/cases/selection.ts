import type { CaseSelector } from '../../../core/run-options.ts';
import type { Parameter } from '../database.ts';
import { plainText } from '../plain-text.ts';

/** A condition on cases, and the values of its parameters from $1 on. */
export interface Selection {
  /** The table, or the part of it that an index finds. */
  readonly from: string;
  readonly where: string;
  readonly parameters: readonly Parameter[];
}

/** What a selector asks for; only what it names is part of the condition, so that its index is used. */
export function selectionOf(selector: CaseSelector): Selection {
  const parameters: Parameter[] = [];
  const value = (parameter: Parameter): string => `$${parameters.push(parameter)}`;
  const { ids, status = ['active'], difficulty, tagAny, tagAll = [], search } = selector;
  const conditions: string[] = [];
  if (ids !== undefined) {
    const uuids = ids.map((id) => id.toLowerCase()).filter(isUuid);
    const names = value(ids.map(plainText));
    conditions.push(
      `(name collate "C" = any(${names}::text[]) or id = any(${value(uuids)}::text[]::uuid[]))`,
    );
  } else if (!status.includes('any')) {
    conditions.push(`status = any(${value([...status])}::text[])`);
  }
  if (difficulty !== undefined) conditions.push(`difficulty = any(${value([...difficulty])}::text[])`);
  const tagged: string[] = [];
  if (tagAny !== undefined) tagged.push(`tags && ${value(tagAny.map(plainText))}::text[]`);
  if (tagAll.length > 0) tagged.push(`tags @> ${value(tagAll.map(plainText))}::text[]`);
  if (search !== undefined) {
    const part = `lower(${value(plainText(search))}::text collate "C")`;
    conditions.push(
      `(strpos(lower(name collate "C"), ${part}) > 0 or strpos(lower(description collate "C"), ${part}) > 0)`,
    );
  }
  if (search === undefined || tagged.length === 0) {
    return { from: TABLE, where: ['true', ...conditions, ...tagged].join(' and '), parameters };
  }
  const from = `(select * from ${TABLE} where ${tagged.join(' and ')} offset 0) as ${TABLE}`;
  return { from, where: ['true', ...conditions].join(' and '), parameters };
}

/**
 * Where a text is searched for, the planner expects a page to be full soon and reads the cases in order: nearly all of
 * them, where the text is rare. `offset 0` makes it take those of the tags first.
 */
const TABLE = 'test_case';

/** Whether a text can be the id of a case. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}
