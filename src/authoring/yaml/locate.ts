import type * as Yaml from 'yaml';
import type { Document, ParsedNode, YAMLError } from 'yaml';

import type { Fault } from './fault.ts';
import { TOO_DEEP } from './json-fault.ts';
import { isTooDeep, type YamlFailure } from './parse-yaml.ts';
import type { Fragment, Place } from './source.ts';
import type { YamlMistake } from './text-mistakes.ts';
import { yamlMistake } from './yaml-mistakes.ts';
import { offsetAt } from './yaml-offset.ts';

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
      return placeOf(offsetAt({ yaml, document }, written, at) ?? 0);
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
