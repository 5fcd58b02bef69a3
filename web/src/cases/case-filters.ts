import type { AskedOf } from '../../../src/api/route.ts';
import type { Table } from '../../../src/api/table.ts';
import { textsOf } from '../filters.ts';

/** The selector of test cases, as it stands in the address. */
export interface CaseFilters {
  /** Absent: active. */
  readonly status?: CaseStatus | 'any';
  readonly difficulty?: 'normal' | 'hard';
  readonly tag_any?: readonly string[];
  readonly tag_all?: readonly string[];
  readonly search?: string;
  /** Id or name of a set. */
  readonly set?: string;
}

export type CaseStatus = 'draft' | 'active' | 'archived';

export const CASE_STATUSES = ['draft', 'active', 'archived'] as const;

const STATUSES = [...CASE_STATUSES, 'any'] as const;
const DIFFICULTIES = ['normal', 'hard'] as const;

/** Reads the filters out of an address; what is no filter is left out. */
export function caseFilters(search: Readonly<Record<string, unknown>>): CaseFilters {
  const status = STATUSES.find((each) => each === search['status']);
  const difficulty = DIFFICULTIES.find((each) => each === search['difficulty']);
  const [any, all] = [tagsOf(search['tag_any']), tagsOf(search['tag_all'])];
  return {
    ...(status === undefined ? {} : { status }),
    ...(difficulty === undefined ? {} : { difficulty }),
    ...(any.length === 0 ? {} : { tag_any: any }),
    ...(all.length === 0 ? {} : { tag_all: all }),
    ...textsOf(search, ['search', 'set']),
  };
}

/** The filters as the API takes them. */
export function askedCases({ status, difficulty, tag_any: any, tag_all: all, ...texts }: CaseFilters): Asked {
  return {
    ...(status === undefined ? {} : { status: [status] }),
    ...(difficulty === undefined ? {} : { difficulty: [difficulty] }),
    ...(any === undefined ? {} : { tag_any: [...any] }),
    ...(all === undefined ? {} : { tag_all: [...all] }),
    ...texts,
  };
}

type Asked = Omit<AskedOf<Table['listTestCases']>, 'limit' | 'cursor'>;

function tagsOf(value: unknown): readonly string[] {
  const texts = [value].flat().filter((each) => typeof each === 'string' || typeof each === 'number');
  return [...new Set(texts.map(String))].filter((each) => each !== '');
}
