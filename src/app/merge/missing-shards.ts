import type { Manifest } from '../../core/manifest.ts';

type Part = Pick<Manifest, 'settings' | 'mergedFrom' | 'partial'>;

interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The shards (`3/4`) missing in these runs, in order. Shards belong together if all other selection is the same. */
export function missingShards(parts: readonly Part[]): readonly string[] {
  const plans = new Map<string, { readonly of: number; readonly present: Set<number> }>();
  for (const part of parts) {
    const shard = shardOf(part);
    if (shard === undefined) continue;
    const name = planOf(part, shard.of);
    const plan = plans.get(name) ?? { of: shard.of, present: new Set() };
    plans.set(name, plan);
    for (const index of indexesOf(part, shard)) plan.present.add(index);
  }
  const missing = [...plans.values()].flatMap(({ of, present }) =>
    upTo(of)
      .filter((index) => !present.has(index))
      .map((index) => nameOf({ index, of })),
  );
  return [...new Set(missing)];
}

/** A merged run contains all shards except those that it names as missing. */
function indexesOf({ mergedFrom, partial }: Part, { index, of }: Shard): readonly number[] {
  if (mergedFrom === undefined) return [index];
  return upTo(of).filter((each) => partial?.missingShards.includes(nameOf({ index: each, of })) !== true);
}

function upTo(of: number): readonly number[] {
  return Array.from({ length: of }, (_, i) => i + 1);
}

function nameOf({ index, of }: Shard): string {
  return `${index}/${of}`;
}

function shardOf({ settings: { options } }: Part): Shard | undefined {
  return options?.shard;
}

/** The options that select the trials of all shards together. */
const SELECTING = [
  'patterns',
  'stored',
  'select',
  'targets',
  'cases',
  'tags',
  'excludeTags',
  'limit',
  'sample',
] as const;

function planOf({ settings: { options } }: Part, of: number): string {
  return JSON.stringify([of, SELECTING.map((name) => options?.[name] ?? null)]);
}
