import { AssayError } from '../../core/errors.ts';
import { matchesAny } from '../../core/selection.ts';
import { knownCases } from '../../core/test-case.ts';
import type { Plan } from '../../engine/plan.ts';
import { firstOf } from '../../lib/text/first-of.ts';
import { didYouMean } from '../../lib/text/suggest.ts';
import type { RunOptions } from '../../core/run-options.ts';

const MAX_LISTED = 20;

/** Throws `empty-selection` for a plan without trials, which would pass without any test. */
export function refuseEmpty(plan: Plan, options: RunOptions): void {
  if (plan.size > 0) return;
  const there = whatIsThere(plan);
  const filters = filtersOf(options);
  const by = filters.length > 0 ? ` by ${filters.join(' ')}` : '';
  throw new AssayError('empty-selection', `no test case is selected${by}`, {
    stage: 'plan',
    hint: hintFor(options, there),
  });
}

function filtersOf(options: RunOptions): readonly string[] {
  return [
    ...selectorWords(options.select),
    ...options.cases.map((id) => `--case ${id}`),
    ...(options.tags ?? []).map((tag) => `--tag ${tag}`),
    ...(options.excludeTags ?? []).map((tag) => `--exclude-tag ${tag}`),
    ...(options.failed === undefined ? [] : [`--failed ${options.failed}`]),
    ...(options.shard === undefined ? [] : [`--shard ${options.shard.index}/${options.shard.of}`]),
  ];
}

const SELECTOR_FLAGS = {
  status: '--status',
  difficulty: '--difficulty',
  tagAny: '--tag-any',
  tagAll: '--tag-all',
  search: '--search',
  ids: '--id',
  set: '--set',
} as const;

function selectorWords(select: RunOptions['select'] = {}): readonly string[] {
  return Object.entries(select).map(
    ([key, value]) => `${SELECTOR_FLAGS[key as keyof typeof select]} ${[value].flat().join(',')}`,
  );
}

interface There {
  readonly ids: ReadonlySet<string>;
  readonly tags: ReadonlySet<string>;
}

/** Names the filter that excludes everything, and its possible values. */
function hintFor(
  { cases, tags = [], excludeTags = [], failed, shard, stored, select }: RunOptions,
  there: There,
): string {
  if (there.ids.size === 0 && stored === true) return storedHint(select);
  if (there.ids.size === 0) return 'name a file with tests';
  if (cases.length > 0 && ![...there.ids].some((id) => matchesAny(id, cases))) {
    return `no case has this id; ${suggestion('cases', cases, there.ids)}`;
  }
  if (tags.length > 0 && !tags.some((tag) => there.tags.has(tag))) {
    if (there.tags.size === 0) return 'no case has any tag';
    return `no case has this tag; ${suggestion('tags', tags, there.tags)}`;
  }
  const filters = [cases, tags, excludeTags, failed === undefined ? [] : [failed]];
  if (filters.filter((filter) => filter.length > 0).length > 1) {
    return 'each filter alone selects cases, but all of them together select none';
  }
  if (shard !== undefined)
    return 'there are fewer cases than shards, so this shard is empty; cases that depend on each other stay together';
  if (failed !== undefined)
    return `the cases that failed or errored in ${failed} were renamed or removed, or are not in these files`;
  return excludeTags.length > 0
    ? 'every case has one of these tags'
    : 'the config may also filter by tags: run.tags, run.excludeTags';
}

function storedHint(select: RunOptions['select']): string {
  if (select?.set !== undefined) return 'the set has no members, or the other filters exclude them';
  return select?.status === undefined
    ? 'only active cases are run: add `--status any` to run the others; `assay cases list PATH --status any` lists them'
    : '`assay cases list PATH --status any` lists all cases';
}

function suggestion(what: string, words: readonly string[], there: ReadonlySet<string>): string {
  const meant = words.map((word) => didYouMean(word, there)).find((hint) => hint !== undefined);
  return meant ?? `existing ${what}: ${firstOf(there, MAX_LISTED)}`;
}

function whatIsThere({ suites }: Plan): There {
  const ids = new Set<string>();
  const tags = new Set<string>();
  for (const suite of suites) {
    for (const testCase of knownCases(suite.cases)) {
      ids.add(testCase.id);
      for (const tag of testCase.tags) tags.add(tag);
    }
  }
  return { ids, tags };
}
