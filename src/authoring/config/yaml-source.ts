import { createRequire } from 'node:module';

import type * as Yaml from 'yaml';

import { messageOf } from '../../core/errors.ts';
import type { Path } from '../yaml/fault.ts';
import { offsetAt } from '../yaml/yaml-offset.ts';

/** From 1; the column counts characters. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A parsed text that can look up the place of each value. */
export interface Source {
  readonly value: unknown;
  readonly errors: readonly { readonly message: string; readonly position?: Position }[];
  /** Place of the value at the path, or of its nearest existing parent. */
  valueAt(path: readonly PropertyKey[]): Position | undefined;
  keyAt(path: readonly PropertyKey[]): Position | undefined;
}

/** The places in a valid text; computed when one is requested. */
export function placesOf(text: string): Pick<Source, 'valueAt' | 'keyAt'> {
  let source: Source | undefined;
  const parsed = () => (source ??= parseYamlSource(text));
  return { valueAt: (path) => parsed().valueAt(path), keyAt: (path) => parsed().keyAt(path) };
}

/** Parses YAML 1.2, including JSON. */
export function parseYamlSource(text: string): Source {
  const yaml = yamlLibrary();
  const { LineCounter, parseDocument } = yaml;
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false });
  const position = (offset: number | undefined): Position | undefined => {
    if (offset === undefined) return undefined;
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const errors = [...document.errors, ...document.warnings].map(({ message, pos }) =>
    located(message, position(pos[0])),
  );
  const read = errors.length > 0 ? { value: undefined } : readValue(() => document.toJS() as unknown);
  return {
    value: read.value,
    errors: read.error === undefined ? errors : [located(read.error, { line: 1, column: 1 })],
    valueAt: (path) => position(offsetAt({ yaml, document }, path as Path)),
    keyAt: (path) => position(offsetAt({ yaml, document }, path as Path, 'key')),
  };
}

/** Loaded only when something is wrong, because loading takes a tenth of the time of a small command. */
function yamlLibrary(): typeof Yaml {
  return createRequire(import.meta.url)('yaml') as typeof Yaml;
}

function located(message: string, position: Position | undefined) {
  return position === undefined ? { message } : { message, position };
}

function readValue(read: () => unknown): { value: unknown; error?: string } {
  try {
    return { value: read() };
  } catch (error) {
    // An unknown alias, or one that expands without end.
    return { value: undefined, error: messageOf(error) };
  }
}
