import { foldCase } from './fold-case.ts';

/**
 * An upper bound of the steps of a backtracking search as a function of the text length. Undefined when the pattern
 * repeats something that can match in several ways, because no useful bound exists then.
 *
 * Every choice outside a repetition is made once per path. So the number of paths from one start is at most the product
 * of the choices, and each path visits at most `size` nodes besides its repetitions.
 */
export function costOf(pattern: string, flags: string): ((length: number) => number) | undefined {
  if (flags.includes('v') || /\\(?:[1-9]|k<)/.test(pattern)) return undefined;
  const sum = { unbounded: 0, choices: 1, size: 1 };
  const outer: Group[] = [];
  let group = newGroup();
  let rest = pattern;
  while (rest !== '') {
    const [token] = TOKEN.exec(rest) ?? [rest[0] ?? ''];
    rest = rest.slice(token.length);
    sum.size += 1;
    if (group.expectsFirst) group.firsts.push(literalOf(token, flags));
    group.expectsFirst = token === '|';
    if (token === '|') sum.choices *= 2;
    const isGroup = token === ')';
    const atom = { isGroup, varies: isGroup && isAmbiguous(group) };
    if (token.startsWith('(')) {
      outer.push(group);
      group = newGroup();
      continue;
    }
    if (isGroup) {
      group = outer.pop() ?? newGroup();
      group.varies ||= atom.varies;
    }
    const [quantifier] = QUANTIFIER.exec(rest) ?? [''];
    if (token === '|' || quantifier === '') continue;
    rest = rest.slice(quantifier.length);
    const range = rangeOf(quantifier);
    if (!repeat(sum, atom, range)) return undefined;
    group.varies ||= range.min !== range.max;
  }
  return (length) => (length + 1) ** (1 + sum.unbounded) * sum.choices * sum.size;
}

/** The text between two brackets. */
interface Group {
  /** Whether something in it can match in several ways at one position. */
  varies: boolean;
  /** First character of each alternative, if it is a plain character. */
  readonly firsts: (string | undefined)[];
  expectsFirst: boolean;
}

function newGroup(): Group {
  return { varies: false, firsts: [], expectsFirst: true };
}

/** Alternatives with different first characters leave no choice, as in `(foo|bar)+`. */
function isAmbiguous({ varies, firsts }: Group): boolean {
  if (varies || firsts.length < 2) return varies;
  return firsts.includes(undefined) || new Set(firsts).size < firsts.length;
}

function literalOf(token: string, flags: string): string | undefined {
  if (!/^(?:[^\\^$.*+?()[\]{}|]|\\[^\p{L}\d])$/u.test(token)) return undefined;
  const character = token.slice(-1);
  return flags.includes('i') ? foldCase(character) : character;
}

const TOKEN =
  /^(?:\\(?:[pP]\{[A-Za-z][^}]*\}|u\{[\da-fA-F]+\}|[^])|\[\^?(?:\\[^]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|[^])/;
const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;

interface Atom {
  readonly isGroup: boolean;
  readonly varies: boolean;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function rangeOf(quantifier: string): Range {
  if (quantifier.startsWith('*')) return { min: 0, max: Infinity };
  if (quantifier.startsWith('+')) return { min: 1, max: Infinity };
  if (quantifier.startsWith('?')) return { min: 0, max: 1 };
  const [, min = '0', comma, max] = /^\{(\d+)(,?)(\d*)/.exec(quantifier) ?? [];
  if (comma === '') return { min: Number(min), max: Number(min) };
  return { min: Number(min), max: max === '' ? Infinity : Number(max) };
}

function repeat(
  sum: { unbounded: number; choices: number; size: number },
  atom: Atom,
  range: Range,
): boolean {
  if (atom.varies && range.max > 1) return false;
  if (range.max === Infinity) sum.unbounded += 1;
  else sum.choices *= range.max - range.min + 1;
  const repeated = range.max === Infinity ? range.min : range.max;
  sum.size += atom.isGroup ? repeated * sum.size : repeated;
  return true;
}
