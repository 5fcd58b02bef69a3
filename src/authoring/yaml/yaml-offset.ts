import type * as Yaml from 'yaml';
import type { Document, Node, Pair, YAMLMap } from 'yaml';

import type { Fault, Path } from './fault.ts';

interface Nodes {
  readonly yaml: typeof Yaml;
  readonly document: Document;
}

/** The offset of the value at a path, or of the last existing value on the way. */
export function offsetAt(nodes: Nodes, path: Path, at?: Fault['at']): number | undefined {
  const { yaml, document } = nodes;
  let node: Node | null = document.contents;
  let offset = start(node);
  for (const [index, step] of path.entries()) {
    const container = resolved(node, nodes);
    const isLast = index === path.length - 1;
    if (yaml.isMap(container)) {
      const pair = pairOf(container, step, nodes);
      if (pair === undefined) return offset;
      node = pair.value as Node | null;
      offset = (isLast && at === 'key' ? undefined : start(node)) ?? start(pair.key as Node) ?? offset;
    } else {
      const item = yaml.isSeq(container) ? container.items[Number(step)] : undefined;
      if (!yaml.isNode(item)) return offset;
      node = item;
      offset = start(node) ?? offset;
    }
  }
  return offset;
}

/** The pair of a key, its own or merged in by `<<`. */
function pairOf(map: YAMLMap, step: string | number, nodes: Nodes): Pair | undefined {
  const { yaml } = nodes;
  const named = (key: unknown): boolean => String(yaml.isScalar(key) ? key.value : key) === String(step);
  const own = map.items.find((pair) => named(pair.key));
  if (own !== undefined) return own;
  for (const { key, value } of map.items) {
    if (!yaml.isScalar(key) || key.source !== '<<') continue;
    const from = resolved(value as Node | null, nodes);
    for (const source of yaml.isSeq(from) ? from.items : [from]) {
      const merged = resolved(source as Node | null, nodes);
      const inherited = yaml.isMap(merged) ? pairOf(merged, step, nodes) : undefined;
      if (inherited !== undefined) return inherited;
    }
  }
  return undefined;
}

function resolved(node: Node | null, { yaml, document }: Nodes): Node | null {
  return yaml.isAlias(node) ? (node.resolve(document) ?? null) : node;
}

function start(node: Node | null | undefined): number | undefined {
  return node?.range?.[0];
}
