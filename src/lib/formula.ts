/** A formula over named numbers: `2 * precision * recall / (precision + recall)`. */
export interface Formula {
  /** Each once, in the order of their first use. */
  readonly names: readonly string[];
  /** Undefined when a name has no value, or when something is divided by zero. */
  value(of: (name: string) => number | undefined): number | undefined;
}

/** Why a text is not a formula. */
export interface FormulaFault {
  readonly message: string;
}

/**
 * Reads `+ - * /`, parentheses, numbers and names. A name with other signs than letters, digits and `_` stands in
 * quotes.
 */
export function readFormula(text: string): Formula | FormulaFault {
  if (text.length > MOST_CHARACTERS) return { message: `longer than ${MOST_CHARACTERS} characters` };
  const tokens = tokensOf(text);
  if (!Array.isArray(tokens)) return tokens as FormulaFault;
  const names = new Set<string>();
  const reader: Reader = { tokens: tokens as readonly Token[], at: 0, names };
  try {
    const value = sum(reader);
    const rest = reader.tokens[reader.at];
    if (rest !== undefined) return { message: `unexpected ${JSON.stringify(rest.text)}` };
    return { names: [...names], value };
  } catch (error) {
    if (error instanceof FormulaError) return { message: error.message };
    throw error;
  }
}

/** Nested parentheses use the call stack. */
const MOST_CHARACTERS = 1_000;

class FormulaError extends Error {}

interface Token {
  readonly kind: 'number' | 'name' | 'sign';
  readonly text: string;
}

type Value = Formula['value'];

interface Reader {
  readonly tokens: readonly Token[];
  at: number;
  readonly names: Set<string>;
}

const TOKEN =
  /\s*(?:(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<quoted>'[^']+'|"[^"]+")|(?<sign>[-+*/()]))/uy;

function tokensOf(text: string): readonly Token[] | FormulaFault {
  const tokens: Token[] = [];
  const pattern = new RegExp(TOKEN);
  while (text.slice(pattern.lastIndex).trim() !== '') {
    const at = pattern.lastIndex;
    const { number, name, quoted, sign } = pattern.exec(text)?.groups ?? {};
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (quoted !== undefined) tokens.push({ kind: 'name', text: quoted.slice(1, -1) });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else return { message: `unexpected ${JSON.stringify(text.slice(at).trim().slice(0, 1))}` };
  }
  return tokens;
}

function sum(reader: Reader): Value {
  let left = product(reader);
  for (let sign = taken(reader, '+', '-'); sign !== undefined; sign = taken(reader, '+', '-')) {
    const [before, right, factor] = [left, product(reader), sign === '+' ? 1 : -1];
    left = both(before, right, (one, other) => one + factor * other);
  }
  return left;
}

function product(reader: Reader): Value {
  let left = factorOf(reader);
  for (let sign = taken(reader, '*', '/'); sign !== undefined; sign = taken(reader, '*', '/')) {
    const named = reader.names.size;
    const [before, right] = [left, factorOf(reader)];
    if (sign === '*') left = both(before, right, (one, other) => one * other);
    else {
      const isFixed = reader.names.size === named && right(() => undefined) !== undefined;
      if (isFixed && right(() => undefined) === 0) throw new FormulaError('divides by zero');
      left = both(before, right, (one, other) => (other === 0 ? undefined : one / other));
    }
  }
  return left;
}

function factorOf(reader: Reader): Value {
  if (taken(reader, '-') !== undefined) {
    const value = factorOf(reader);
    return (of) => {
      const known = value(of);
      return known === undefined ? undefined : -known;
    };
  }
  if (taken(reader, '(') !== undefined) {
    const inner = sum(reader);
    if (taken(reader, ')') === undefined) throw new FormulaError('a `(` is not closed');
    return inner;
  }
  const token = reader.tokens[reader.at];
  if (token === undefined) throw new FormulaError('ends too early');
  if (token.kind === 'sign') throw new FormulaError(`unexpected ${JSON.stringify(token.text)}`);
  reader.at += 1;
  if (token.kind === 'name') {
    reader.names.add(token.text);
    return (of) => of(token.text);
  }
  const number = Number(token.text);
  return () => number;
}

/** The next sign, if it is one of these. */
function taken(reader: Reader, ...signs: readonly string[]): string | undefined {
  const token = reader.tokens[reader.at];
  if (token?.kind !== 'sign' || !signs.includes(token.text)) return undefined;
  reader.at += 1;
  return token.text;
}

function both(left: Value, right: Value, join: (one: number, other: number) => number | undefined): Value {
  return (of) => {
    const [one, other] = [left(of), right(of)];
    const value = one === undefined || other === undefined ? undefined : join(one, other);
    return value === undefined || !Number.isFinite(value) ? undefined : value;
  };
}
