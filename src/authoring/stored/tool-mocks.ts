import * as z from 'zod';

import type { ToolMock } from '../../core/test-case.ts';
import { isObject } from '../../lib/json.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { fault, pathLabel, type Fault, type Path } from '../yaml/fault.ts';
import { MOST_PROBLEMS } from '../yaml/report.ts';
import { schemaFaults } from '../yaml/schema-faults.ts';
import { mock } from '../yaml/world-grammar.ts';
import { mockOf } from '../yaml/world-plan.ts';
import type { RawCase } from './read-file.ts';
import { unstorableFaults } from './unstorable.ts';

export interface OwnedMock {
  readonly owner: { readonly key: 'test_case' | 'test_case_id'; readonly value: string };
  readonly mock: ToolMock;
}

const OWNERS = ['test_case_id', 'test_case'] as const;

const owners = z.strictObject({
  test_case_id: z.guid({ error: 'must be a UUID' }).optional(),
  test_case: z.string().regex(/\S/, 'must not be blank').optional(),
});

/** Checks an entry of `tool_mocks` at the path `above` against the grammar of mocks. */
export function checkToolMock(
  value: unknown,
  above: Path,
): {
  readonly owned?: OwnedMock;
  readonly faults: readonly Fault[];
} {
  if (!isObject(value)) {
    const message = `${pathLabel(above)}: expected a tool mock: a mapping with \`tool\` and \`test_case\``;
    return { faults: [fault('wrong-type', message)] };
  }
  const { test_case_id, test_case, ...body } = value;
  const named = Object.fromEntries(
    Object.entries({ test_case_id, test_case }).filter(([, each]) => each !== undefined),
  );
  const owner = owners.safeParse(named);
  const parsed = mock.safeParse(body);
  const faults = [
    ...(owner.success ? [] : schemaFaults(owner.error.issues, owners, { value: named, moreKeys: [], above })),
    ...(parsed.success
      ? []
      : schemaFaults(parsed.error.issues, mock, { value: body, moreKeys: OWNERS, above })),
    ...(Object.keys(named).length === 1 ? [] : [noOwner(above)]),
    ...unstorableFaults(body, above),
  ];
  if (faults.length > 0 || !owner.success || !parsed.success) return { faults };
  const { test_case_id: id, test_case: name } = owner.data;
  const found =
    id === undefined ? { key: 'test_case', value: name ?? '' } : { key: 'test_case_id', value: id };
  return { owned: { owner: found as OwnedMock['owner'], mock: mockOf(parsed.data) }, faults: [] };
}

function noOwner(above: Path): Fault {
  const message = `${pathLabel(above)}: a tool mock needs \`test_case\` or \`test_case_id\``;
  const hint = 'set `test_case` to the name of the case, or `test_case_id` to its id';
  return fault('missing-key', message, { hint });
}

/** Finds the case of a mock; among several with the same name, the one in the same file. */
export type OwnerFinder = (
  owner: OwnedMock['owner'],
  shown: string,
) => { readonly owner?: RawCase; readonly fault?: Fault };

export function ownerFinder(cases: readonly { readonly raw: RawCase }[]): OwnerFinder {
  const ways = { test_case: casesBy('name', cases), test_case_id: casesBy('id', cases) };
  return ({ key, value }, shown) => {
    const { field, named, meant } = ways[key];
    const all = named.get(field === 'id' ? value.toLowerCase() : value) ?? [];
    const own = all.filter(({ file }) => file.shown === shown);
    const found = own.length > 0 ? own : all;
    const [owner] = found;
    if (owner !== undefined && found.length === 1) return { owner };
    const shownValue = JSON.stringify(value);
    if (owner !== undefined) {
      const hint = 'give each case an id, and use it as `test_case_id`';
      const message = `${found.length} test cases have the ${field} ${shownValue}`;
      return { fault: fault('ambiguous-name', message, { path: [key], hint }) };
    }
    const near = meant(value);
    const hint = near === undefined ? {} : { hint: `did you mean ${JSON.stringify(near)}?` };
    return {
      fault: fault('unknown-case', `no test case has the ${field} ${shownValue}`, { path: [key], ...hint }),
    };
  };
}

interface NamedCases {
  readonly field: 'id' | 'name';
  readonly named: ReadonlyMap<string, readonly RawCase[]>;
  /** The nearest known name. Searched only for as many names as problems are shown. */
  readonly meant: (value: string) => string | undefined;
}

function casesBy(field: NamedCases['field'], cases: readonly { readonly raw: RawCase }[]): NamedCases {
  const named = new Map<string, RawCase[]>();
  for (const { raw } of cases) {
    const written = isObject(raw.value) ? raw.value[field] : undefined;
    if (typeof written !== 'string') continue;
    const key = field === 'id' ? written.toLowerCase() : written;
    const alike = named.get(key);
    if (alike === undefined) named.set(key, [raw]);
    else alike.push(raw);
  }
  const known = new Map<string, string | undefined>();
  const meant = (value: string): string | undefined => {
    if (!known.has(value) && known.size < MOST_PROBLEMS) known.set(value, nearest(value, named.keys()));
    return known.get(value);
  };
  return { field, named, meant };
}
