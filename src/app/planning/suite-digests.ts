import { createHash, type Hash } from 'node:crypto';

import type { Manifest } from '../../core/manifest.ts';
import type { Suite } from '../../core/test-case.ts';
import { makePlan, type PlannedCase, type PlanRequest } from '../../engine/plan.ts';
import { given } from '../../lib/given.ts';
import type { DigestList } from './digests.ts';

/** Suites and their chosen cases. */
export interface ChosenCases {
  readonly suites: readonly Pick<Suite, 'id' | 'name' | 'file' | 'derivedMetrics'>[];
  readonly cases: Iterable<Pick<PlannedCase, 'suite' | 'id' | 'digests' | 'targets' | 'repeat'>>;
}

interface Sum {
  cases: number;
  readonly planned: Hash;
  /** Without targets and repetitions. */
  readonly measured: Hash;
}

/** Suites with digests of their planned cases: ids, content, graders, terms, targets and repetitions, in order. */
export function suitesOf({ suites, cases }: ChosenCases, { list }: DigestList): Manifest['suites'] {
  const sums = suites.map((): Sum => ({
    cases: 0,
    planned: createHash('sha256'),
    measured: createHash('sha256'),
  }));
  for (const { suite, id, digests, targets, repeat } of cases) {
    const sum = sums[suite];
    if (sum === undefined) continue;
    sum.cases += 1;
    const graders = digests.graders.map((number) => list[number]);
    const terms = digests.terms === undefined ? null : list[digests.terms];
    const { gradersUnder: apart } = digests;
    const own = targets.flatMap((name) => apart?.[name]?.map((number) => list[number]) ?? []);
    const judged = own.length === 0 ? [] : [own];
    const mocked = digests.mocks === undefined ? [] : [{ mocks: list[digests.mocks] }];
    const content = [id, list[digests.case], graders, terms];
    sum.planned.update(JSON.stringify([...content, targets, repeat, ...judged, ...mocked]));
    sum.measured.update(JSON.stringify([...content, ...judged, ...mocked]));
  }
  return suites.map(({ id, name, file, derivedMetrics }, position) => {
    const sum = sums[position];
    const digest = sum?.planned.digest('hex') ?? '';
    const casesDigest = sum?.measured.digest('hex') ?? '';
    return { id, name, file, cases: sum?.cases ?? 0, digest, casesDigest, ...given({ derivedMetrics }) };
  });
}

/** Digests of what all shards run together, by suite id. Empty if the run is not a shard. `digests` is only for this request. */
export function wholeSuites(request: PlanRequest, digests: DigestList): ReadonlyMap<string, string> {
  const { shard, ...selection } = request.selection;
  if (shard === undefined) return new Map();
  const suites = suitesOf(makePlan({ ...request, selection }), digests);
  return new Map(suites.map(({ id, digest }) => [id, digest]));
}
