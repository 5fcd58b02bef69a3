import { isObject } from '../../lib/json.ts';
import { cutItems, type Cut } from './cut-items.ts';
import { fault, type Fault, type Path } from './fault.ts';
import { isWithin, parseYaml, type YamlFailure } from './parse-yaml.ts';
import { readPlainSequence } from './plain-yaml.ts';
import { wholeFile, type Fragment, type RawTest, type SourceFile } from './source.ts';

/** A YAML file with the items of its list of tests separated. */
export interface YamlFile {
  /** The document without the list `tests`; undefined when the document itself is the list. */
  readonly head: unknown;
  readonly headFragment: Fragment;
  /** The items of the list in batches, so that they are never all in memory; undefined when there is no list. */
  readonly batches?: () => Iterable<readonly RawTest[]>;
}

export type ReadYaml = YamlFile | { readonly failure: YamlFailure; readonly fragment: Fragment } | Fault;

/** Thrown when a file that was cut into parts must be parsed as a whole. */
export class CutError extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`${path} cannot be parsed in parts`);
    this.path = path;
  }
}

/** Parses a file in parts if its structure allows it. `batches` throws a CutError when a cut turns out to be wrong. */
export function readYaml(file: SourceFile, mode: 'parts' | 'whole'): ReadYaml {
  const cut = mode === 'parts' ? cutItems(file.bytes) : undefined;
  return (cut === undefined ? undefined : readParts(file, cut)) ?? readWhole(file);
}

function readParts(file: SourceFile, cut: Cut): YamlFile | undefined {
  const prefix = file.bytes.toString('utf8', 0, cut.starts[0]);
  const suffix = file.bytes.toString('utf8', cut.end);
  const isList = cut.under === 'root';
  const head = parseYaml(`${prefix}${isList ? 'null\n' : ''}${suffix}`, 'no-aliases');
  if ('failure' in head) return undefined;
  if (isList ? head.value !== null : !isObject(head.value) || head.value['tests'] !== null) return undefined;
  const headFragment: Fragment = {
    shown: file.shown,
    line: 1,
    syntax: 'yaml',
    text: () => `${prefix}${'\n'.repeat(cut.breaks)}${suffix}`,
  };
  return {
    head: isList ? undefined : withoutTests(head.value),
    headFragment,
    batches: () => parts(file, cut),
  };
}

function* parts(file: SourceFile, cut: Cut): Generator<readonly RawTest[]> {
  const { starts, end } = cut;
  for (let from = 0; from < starts.length;) {
    const start = starts[from] ?? end;
    let to = from + 1;
    while (to < starts.length && to - from < BATCH_ITEMS && (starts[to] ?? end) - start < BATCH_BYTES)
      to += 1;
    const text = file.bytes.toString('utf8', start, starts[to] ?? end);
    const items = readPlainSequence(text) ?? parsedItems(text);
    if (!Array.isArray(items) || items.length !== to - from) throw new CutError(file.path);
    const first = from;
    yield items.map((value: unknown, index) => rawItem(file, cut, { value, index: first + index }));
    from = to;
  }
}

function parsedItems(text: string): unknown {
  const parsed = parseYaml(text, 'no-aliases');
  return 'failure' in parsed ? undefined : parsed.value;
}

function rawItem(file: SourceFile, cut: Cut, item: { value: unknown; index: number }): RawTest {
  const { starts, lines, end } = cut;
  const line = lines[item.index] ?? 1;
  const text = (): string => file.bytes.toString('utf8', starts[item.index], starts[item.index + 1] ?? end);
  return {
    value: item.value,
    fragment: {
      shown: file.shown,
      line,
      syntax: 'yaml',
      text,
      item: cut.under === 'root' ? [item.index] : ['tests', item.index],
    },
    path: FIRST,
    line,
  };
}

function readWhole(file: SourceFile): ReadYaml {
  const fragment = wholeFile(file);
  const parsed = parseYaml(fragment.text(), 'aliases');
  if ('failure' in parsed) {
    if (parsed.failure.reason.includes('input is empty'))
      return fault('empty-file', 'the file contains only comments');
    return { failure: parsed.failure, fragment };
  }
  if (!isWithin(parsed.value, MOST_NODES)) {
    const message = `the file has more than ${MOST_NODES.toLocaleString('en')} values after its YAML aliases are expanded`;
    return fault('alias-bomb', message, { hint: 'use fewer aliases, or split the file' });
  }
  if (Array.isArray(parsed.value)) return listed(parsed.value, [], { head: undefined, fragment });
  const tests = isObject(parsed.value) ? parsed.value['tests'] : undefined;
  if (!Array.isArray(tests)) return { head: parsed.value, headFragment: fragment };
  return listed(tests, ['tests'], { head: withoutTests(parsed.value), fragment });
}

function listed(
  items: readonly unknown[],
  path: Path,
  rest: { head: unknown; fragment: Fragment },
): YamlFile {
  const { head, fragment } = rest;
  const batches = (): Iterable<readonly RawTest[]> =>
    items.map((value, index) => [{ value, fragment, path: [...path, index] }]);
  return { head, headFragment: fragment, batches };
}

function withoutTests(head: unknown): unknown {
  const { tests: _, ...rest } = head as Record<string, unknown>;
  return rest;
}

const FIRST: Path = [0];
const BATCH_ITEMS = 64;
const BATCH_BYTES = 64 * 1024;
const MOST_NODES = 10_000_000;
