import type { AskedOf } from '../../src/api/route.ts';
import type { Table } from '../../src/api/table.ts';

type Asked = AskedOf<Table['listTrials']>;

/** What the list of trials is narrowed to; it stands in the address. */
export interface TrialFilters {
  readonly status?: readonly Status[];
  readonly search?: string;
  readonly sort?: Sort;
  readonly stage?: string;
  readonly kind?: string;
  readonly target?: string;
  readonly suite?: string;
  readonly test_case_id?: string;
  readonly flag?: string;
  readonly tag?: string;
  /** Trials in which this grade did not pass. */
  readonly grader?: string;
}

type Status = (typeof STATUSES)[number];
type Sort = NonNullable<Asked['sort']>;

const STATUSES = [
  'passed',
  'failed',
  'errored',
  'skipped',
  'cancelled',
  'expected-failed',
  'unexpected-passed',
] as const;

const SORTS: readonly Sort[] = [
  'number',
  '-number',
  'score',
  '-score',
  'duration_ms',
  '-duration_ms',
  'cost_usd',
  '-cost_usd',
];

const TEXTS = [
  'search',
  'stage',
  'kind',
  'target',
  'suite',
  'test_case_id',
  'flag',
  'tag',
  'grader',
] as const;

/** Reads the filters out of an address; what is no filter is left out. */
export function trialFilters(search: Readonly<Record<string, unknown>>): TrialFilters {
  const status = STATUSES.filter((name) => [search['status']].flat().includes(name));
  const sort = SORTS.find((name) => name === search['sort']);
  return {
    ...(status.length === 0 ? {} : { status }),
    ...(sort === undefined ? {} : { sort }),
    ...textsOf(search, TEXTS),
  };
}

/** The named parameters that are texts and not empty; numbers, as a router reads `2`, are their digits. */
export function textsOf<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [Each in Name]?: string } {
  const found: { [Each in Name]?: string } = {};
  for (const name of names) {
    const value = search[name];
    if (typeof value === 'number' || (typeof value === 'string' && value !== '')) found[name] = String(value);
  }
  return found;
}

/** The filters as the API takes them. */
export function askedOf({ status, ...rest }: TrialFilters): Partial<Asked> {
  return { ...rest, ...(status === undefined ? {} : { status: [...status] }) };
}
