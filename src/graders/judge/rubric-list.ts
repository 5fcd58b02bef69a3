import type * as z from 'zod';

import type { rubricItems } from '../rubric-items.ts';
import { given } from '../../lib/given.ts';

/** One thing that a judge checks. */
export interface RubricItem {
  readonly id: string;
  readonly outcome: string;
  readonly weight: number;
  /** The minimum score, if the item is a gate. */
  readonly required?: number;
  readonly bands?: readonly { readonly from: number; readonly to: number; readonly outcome: string }[];
}

const REQUIRED_SCORE = 0.8;

/** Items as written, each with an id; a text gets its position, from 1. */
export function rubricList(written: z.infer<typeof rubricItems>): readonly RubricItem[] {
  const taken = new Set(written.flatMap((item) => (typeof item === 'string' ? [] : [item.id])));
  return written.map((item, index): RubricItem => {
    if (typeof item === 'string') return { id: freeId(index + 1, taken), outcome: item, weight: 1 };
    const { id, outcome = 'the band that fits', weight, score_ranges: ranges } = item;
    const gate = gateOf(item);
    return {
      id,
      outcome,
      weight,
      ...given({ required: gate }),
      ...(ranges === undefined ? {} : { bands: bandsOf(ranges) }),
    };
  });
}

type WrittenItem = Exclude<z.infer<typeof rubricItems>[number], string>;

/** The minimum score of an item that is a gate. */
export function gateOf({
  required,
  required_min_score: least,
}: Pick<WrittenItem, 'required' | 'required_min_score'>): number | undefined {
  if (required === true) return REQUIRED_SCORE;
  const gate = least === undefined ? required : least / 10;
  return gate === false || gate === 0 ? undefined : gate;
}

function bandsOf(ranges: NonNullable<WrittenItem['score_ranges']>): NonNullable<RubricItem['bands']> {
  if (Array.isArray(ranges))
    return ranges.map(({ score_range: [from, to], outcome }) => ({ from, to, outcome }));
  const starts = Object.keys(ranges)
    .map(Number)
    .toSorted((one, other) => one - other);
  return starts.map((from, i) => ({
    from,
    to: (starts[i + 1] ?? 11) - 1,
    outcome: ranges[String(from)] ?? '',
  }));
}

/** The items in words, for a prompt. */
export function rubricText(items: readonly RubricItem[]): string {
  return items
    .flatMap(({ id, outcome, bands = [] }) => [
      `- ${JSON.stringify(id)}: ${outcome}`,
      ...bands.map((band) => `    ${band.from} to ${band.to}: ${band.outcome}`),
    ])
    .join('\n');
}

function freeId(position: number, taken: ReadonlySet<string>): string {
  let id = String(position);
  while (taken.has(id)) id = `${id}'`;
  return id;
}
