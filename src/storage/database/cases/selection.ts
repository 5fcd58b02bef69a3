import type { CaseCursor } from '../../../core/case-store.ts';
import type { ListSort } from '../../../core/list-sort.ts';
import type { CaseSelector } from '../../../core/run-options.ts';
import { isUuid } from '../../../lib/uuid.ts';
import type { Parameter } from '../database.ts';
import { plainText } from '../plain-text.ts';
import { behindSql } from '../sort-sql.ts';

/** An SQL condition on cases, and its parameters, starting with $1. */
export interface Selection {
  /** The table, or a subquery of it that uses an index. */
  readonly from: string;
  readonly where: string;
  readonly parameters: readonly Parameter[];
  /** The columns that a page continues behind. */
  readonly order: 'created_at, id' | 'position';
  /** Absent: that order. */
  readonly sort?: ListSort | undefined;
}

/** The condition of a selector. It contains only what the selector names, so that the right index is used. */
export function selectionOf(selector: CaseSelector): Selection {
  const parameters: Parameter[] = [];
  const value = (parameter: Parameter): string => `$${parameters.push(parameter)}`;
  const { ids, status = ['active'], difficulty, tagAny, tagAll = [], search, set } = selector;
  const conditions: string[] = [];
  if (ids !== undefined) {
    const uuids = ids.map((id) => id.toLowerCase()).filter(isUuid);
    const names = value(ids.map(plainText));
    conditions.push(
      `(name collate "C" = any(${names}::text[]) or id = any(${value(uuids)}::text[]::uuid[]))`,
    );
  } else if (set === undefined && !status.includes('any')) {
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
  const order = set === undefined ? 'created_at, id' : 'position';
  const members = set === undefined ? '' : ` join case_set_member on ${isMemberOf(set, value)}`;
  if (search === undefined || tagged.length === 0) {
    const where = ['true', ...conditions, ...tagged].join(' and ');
    return { from: TABLE + members, where, parameters, order };
  }
  const from = `(select * from ${TABLE} where ${tagged.join(' and ')} offset 0) as ${TABLE}${members}`;
  return { from, where: ['true', ...conditions].join(' and '), parameters, order };
}

/**
 * When a text is searched, the planner expects to fill a page soon and reads the cases in order. If the text is rare, it
 * reads nearly all of them. `offset 0` makes it select by tags first.
 */
const TABLE = 'test_case';

/** A set is found by its id first; another one may have that id as its name. */
function isMemberOf(set: string, value: (parameter: Parameter) => string): string {
  const id = set.toLowerCase();
  const uuid = `${value(isUuid(id) ? id : null)}::text::uuid`;
  const found = `select case_set.id from case_set where case_set.id = ${uuid} or case_set.name = ${value(plainText(set))}
    order by (case_set.id = ${uuid}) desc nulls last limit 1`;
  return `test_case_id = test_case.id and case_set_id = (${found})`;
}

/** The rest of a selection, behind a case of it. */
export function behind(after: CaseCursor | undefined, selection: Selection): Selection {
  if (after === undefined) return selection;
  const { where, parameters, order, sort } = selection;
  if (sort !== undefined) {
    const more = [...parameters];
    const value = (parameter: Parameter): string => `$${more.push(parameter)}`;
    const isBehind = behindSql(sort, { value: after.sorted ?? '', id: after.id }, value);
    return { ...selection, where: `${where} and ${isBehind}`, parameters: more };
  }
  const place = `$${parameters.length + 1}`;
  if (order === 'position') {
    const { position = -1 } = after.member ?? {};
    return { ...selection, where: `${where} and position > ${place}`, parameters: [...parameters, position] };
  }
  const next = `$${parameters.length + 2}`;
  return {
    ...selection,
    where: `${where} and (created_at, id) > (${place}::text::timestamptz, ${next}::uuid)`,
    parameters: [...parameters, after.createdAt, after.id],
  };
}
