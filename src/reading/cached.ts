import type { Row } from '../core/run.ts';
import { plural } from '../lib/text/plural.ts';

/** Where the answer of a trial comes from. Undefined when its agent was asked. */
export function cachedText({ cached }: Pick<Row, 'cached'>): string | undefined {
  if (cached === undefined) return undefined;
  return `cached: the agent gave this answer in run ${cached.runId}, at ${cached.at.slice(0, 16).replace('T', ' ')} UTC`;
}

/** How many answers of a run come from earlier runs. Undefined for 0. */
export function cachedCountText(count: number): string | undefined {
  if (count === 0) return undefined;
  return `${plural(count, 'answer')} ${count === 1 ? 'is' : 'are'} cached: from earlier runs, without latency, tokens and cost of the agent`;
}
