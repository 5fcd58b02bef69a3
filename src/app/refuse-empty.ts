import { AssayError } from '../core/errors.ts';
import type { Plan } from '../engine/plan.ts';
import type { RunOptions } from './run-options.ts';

const MAX_TAGS = 20;

/** A plan without a trial is a mistake: it would pass without having asked anything. */
export function refuseEmpty(plan: Plan, options: RunOptions): void {
  if (plan.size > 0) return;
  const filters = [
    ...options.cases.map((id) => `--case ${id}`),
    ...(options.tags ?? []).map((tag) => `--tag ${tag}`),
    ...(options.excludeTags ?? []).map((tag) => `--exclude-tag ${tag}`),
    ...(options.failed === undefined ? [] : [`--failed ${options.failed}`]),
    ...(options.shard === undefined ? [] : [`--shard ${options.shard.index}/${options.shard.of}`]),
  ];
  const by = filters.length > 0 ? ` by ${filters.join(' ')}` : '';
  const tags = tagsOf(plan);
  throw new AssayError('nothing-selected', `no case is left${by}`, {
    stage: 'plan',
    hint: tags.length > 0 ? `tags there are: ${tags.join(', ')}` : 'name a file that holds tests',
  });
}

function tagsOf(plan: Plan): readonly string[] {
  const tags = new Set<string>();
  for (const { cases } of plan.suites) {
    for (let index = 0; index < cases.length && tags.size < MAX_TAGS; index++) {
      for (const tag of cases.at(index).tags) tags.add(tag);
    }
  }
  return [...tags].slice(0, MAX_TAGS);
}
