import type * as Yaml from 'yaml';
import type { Document, Node, Pair, ParsedNode, YAMLError, YAMLMap } from 'yaml';

import type { Fault, Path } from './fault.ts';
import { TOO_DEEP } from './json-fault.ts';
import { isTooDeep, type YamlFailure } from './parse-yaml.ts';
import type { Fragment, Place } from './source.ts';
import type { YamlMistake } from './text-mistakes.ts';
import { yamlMistake } from './yaml-mistakes.ts';

/** Finds places in texts that were parsed without positions. */
export interface Locator {
  /** The place of a mistake; for a missing value, the place of its parent. */
  place(fragment: Fragment, found: Pick<Fault, 'path' | 'at'>): Place;
  /** All mistakes of a text that is not valid YAML. */
  syntax(fragment: Fragment, failure: YamlFailure): readonly (Place & { readonly fault: SyntaxFault })[];
}

export type SyntaxFault = Pick<Fault, 'code' | 'message' | 'hint'>;

/** Loads the parser that keeps positions; it is several times slower, and needed only for mistakes. */
export async function openLocator(): Promise<Locator> {
  const yaml = await import('yaml');
  const known = new WeakMap<Fragment, Parsed>();
  const parsed = (fragment: Fragment): Parsed => {
    const found = known.get(fragment) ?? parseWith(yaml, fragment);
    known.set(fragment, found);
    return found;
  };
  return {
    place(fragment, { path, at }) {
      const written = fragment.written?.(path) ?? path;
      if (fragment.syntax === 'lines') return fragment.cellAt?.(written) ?? { line: fragment.line };
      const { document, placeOf } = parsed(fragment);
      return placeOf(offsetOf({ yaml, document }, written, at));
    },
    syntax(fragment, failure) {
      const first = placeAt({ line: failure.line + 1, col: failure.column + 1 }, fragment);
      const own = [{ ...first, fault: failureWords(failure) }];
      if (isTooDeep(failure)) return own;
      const mistake = yamlMistake(fragment.text(), failure);
      if (mistake !== undefined) return [placedMistake(mistake, fragment)];
      if (fragment.text().length > MOST_PARSED_AGAIN) return own;
      const { document, placeOf } = parsed(fragment);
      const errors = document.errors.map((error) => ({ ...placeOf(error.pos[0]), fault: errorWords(error) }));
      return errors.length === 0 ? own : errors;
    },
  };
}

/** Later errors of the parser are usually caused by the first one. */
function placedMistake({ line, column, message, hint }: YamlMistake, fragment: Fragment) {
  return {
    ...placeAt({ line, col: column }, fragment),
    fault: { code: 'yaml-syntax', message, hint } as const,
  };
}

interface Parsed {
  readonly document: Document.Parsed<ParsedNode>;
  placeOf(offset: number): Place;
}

interface Nodes {
  readonly yaml: typeof Yaml;
  readonly document: Document;
}

function parseWith(yaml: typeof Yaml, fragment: Fragment): Parsed {
  const lineCounter = new yaml.LineCounter();
  const document = yaml.parseDocument(fragment.text(), {
    lineCounter,
    merge: true,
    prettyErrors: false,
    logLevel: 'silent',
  });
  return { document, placeOf: (offset) => placeAt(lineCounter.linePos(offset), fragment) };
}

/** The offset of the value at a path, or of the last existing value on the way. */
function offsetOf(nodes: Nodes, path: Path, at: Fault['at']): number {
  const { yaml, document } = nodes;
  let node: Node | null = document.contents;
  let offset = start(node) ?? 0;
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

function placeAt(position: { line: number; col: number }, fragment: Fragment): Place {
  return { line: Math.max(1, position.line) + fragment.line - 1, column: Math.max(1, position.col) };
}

function failureWords(failure: YamlFailure): SyntaxFault {
  const { reason } = failure;
  if (isTooDeep(failure)) return { code: 'too-deep', message: TOO_DEEP };
  if (reason === 'duplicated mapping key') return DUPLICATE;
  if (reason === 'deficient indentation') {
    return {
      code: 'yaml-syntax',
      message: 'a line inside brackets or quotes must be indented deeper than the key',
    };
  }
  return { code: 'yaml-syntax', message: reason };
}

function errorWords(error: YAMLError): SyntaxFault {
  if (error.code === 'DUPLICATE_KEY') return DUPLICATE;
  const message = error.message.split('\n')[0] ?? error.code;
  if (error.code === 'TAB_AS_INDENT') return { code: 'yaml-syntax', message, hint: 'indent with spaces' };
  return { code: 'yaml-syntax', message };
}

const DUPLICATE: SyntaxFault = {
  code: 'duplicate-key',
  message: 'duplicate key',
  hint: 'remove one of the two',
};

// The parser with positions takes seconds for larger texts; the first parser gives a position without it.
const MOST_PARSED_AGAIN = 2_000_000;
