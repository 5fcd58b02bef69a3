import { createHash } from 'node:crypto';

import type { Manifest } from '../../core/manifest.ts';
import type { Suite } from '../../core/test-case.ts';
import { makePlan, type PlannedCase, type PlanRequest } from '../../engine/plan.ts';
import { given } from '../../lib/given.ts';
import { lastTexts } from '../../lib/last-texts.ts';
import type { DigestList } from './digests.ts';

export interface ChosenCases {
  readonly suites: readonly Pick<Suite, 'id' | 'name' | 'file' | 'derivedMetrics'>[];
  readonly cases: Iterable<Pick<PlannedCase, 'suite' | 'id' | 'digests' | 'targets' | 'repeat'>>;
}

interface Sum {
  cases: number;
  readonly planned: TextHash;
  /** Without targets and repetitions. */
  readonly measured: TextHash;
}

/** Suites with digests of their planned cases: ids, content, graders, terms, targets and repetitions, in order. */
export function suitesOf({ suites, cases }: ChosenCases, { list }: DigestList): Manifest['suites'] {
  const sums = suites.map((): Sum => ({
    cases: 0,
    planned: textHash(),
    measured: textHash(),
  }));
  const textOf = (number: number | undefined): string => JSON.stringify(list[number ?? -1] ?? null);
  const targetsText = lastTexts<readonly string[]>(JSON.stringify);
  for (const { suite, id, digests, targets, repeat } of cases) {
    const sum = sums[suite];
    if (sum === undefined) continue;
    sum.cases += 1;
    const { gradersUnder: apart } = digests;
    const own = targets.flatMap((name) => apart?.[name]?.map(textOf) ?? []);
    const judged = own.length === 0 ? '' : `,[${own.join(',')}]`;
    const mocked = digests.mocks === undefined ? '' : `,{"mocks":${textOf(digests.mocks)}}`;
    const graders = digests.graders.map(textOf).join(',');
    // The text of a list, whose parts are the same in both.
    const content = `[${JSON.stringify(id)},${textOf(digests.case)},[${graders}],${textOf(digests.terms)}`;
    sum.planned.add(`${content},${targetsText(targets)},${repeat}${judged}${mocked}]`);
    sum.measured.add(`${content}${judged}${mocked}]`);
  }
  return suites.map(({ id, name, file, derivedMetrics }, position) => {
    const sum = sums[position];
    const digest = sum?.planned.digest() ?? '';
    const casesDigest = sum?.measured.digest() ?? '';
    return { id, name, file, cases: sum?.cases ?? 0, digest, casesDigest, ...given({ derivedMetrics }) };
  });
}

interface TextHash {
  add(text: string): void;
  digest(): string;
}

/** Takes texts together, since each call of a hash costs as much as some hundred characters. */
function textHash(): TextHash {
  const hash = createHash('sha256');
  let waiting = '';
  return {
    add(text) {
      waiting += text;
      if (waiting.length < MOST_WAITING) return;
      hash.update(waiting);
      waiting = '';
    },
    digest: () => hash.update(waiting).digest('hex'),
  };
}

const MOST_WAITING = 100_000;

/** Digests of what all shards run together, by suite id. Empty if the run is not a shard. `digests` is only for this request. */
export function wholeSuites(request: PlanRequest, digests: DigestList): ReadonlyMap<string, string> {
  const { shard, ...selection } = request.selection;
  if (shard === undefined) return new Map();
  const suites = suitesOf(makePlan({ ...request, selection }), digests);
  return new Map(suites.map(({ id, digest }) => [id, digest]));
}
