import type { Manifest } from '../core/manifest.ts';

/** The missing shards of a merged run, as text. */
export function partialText({ missingShards, isAllowed }: NonNullable<Manifest['partial']>): string {
  const [last = '', ...others] = missingShards.toReversed();
  const missing =
    others.length === 0
      ? `shard ${last} is missing`
      : `shards ${others.toReversed().join(', ')} and ${last} are missing`;
  const remedy = isAllowed ? 'allowed by --partial' : 'merge all shards, or allow it with --partial';
  return `Partial result: ${missing} (${remedy}).`;
}
