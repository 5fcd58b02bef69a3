import { NAMES } from './check-source.ts';

/**
 * Whether an expression only reads its input, ends soon and reaches nothing else of this process, such as
 * `output.includes(vars.city) && calls('refund') === 0`. It has only names of the input, literals, operators without
 * assignment, and calls of a few short methods. So it has no functions, loops, globals or growing texts.
 */
export function isPlainExpression(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const tokens = tokensOf(text.trim().replace(/;$/, ''));
  return tokens !== undefined && tokens.every((token, index) => isPlain(token, tokens, index));
}

/** So that one check is far below its time limit. */
const MOST_CHARACTERS = 1000;

type Kind = 'name' | 'literal' | 'operator' | 'mark';

interface Token {
  readonly kind: Kind;
  readonly text: string;
}

/** Undefined: there is something else in the text. */
function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    if (groups === undefined) return undefined;
    at = TOKEN.lastIndex;
    for (const kind of ['name', 'literal', 'operator', 'mark'] as const)
      if (groups[kind] !== undefined) tokens.push({ kind, text: groups[kind] });
  }
  return tokens;
}

/** Signs of operators are read as a whole, so that `<` before `<=` is never taken for two comparisons. */
const TOKEN =
  /\s+|(?<name>[A-Za-z_]\w*)|(?<literal>\d+(?:\.\d+)?(?![\w.])|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?<mark>\?\.(?!\d)|[.,:()[\]{}])|(?<operator>[=!<>&|?+*%^~-]+)/y;

const OPERATOR = /^(?:[=!]==?|[<>]=?|&&|\|\||\?\??|[+*%-])?!*$/;
const WORDS: readonly string[] = ['true', 'false', 'null', 'undefined', 'typeof'];
/** Names of the input except `assert`, which is code of Node. */
const READ = new Set<string>([...NAMES.filter((name) => name !== 'assert'), ...WORDS]);
/** Their time and memory are at most in proportion to their text. */
const METHODS = new Set(
  'at charAt endsWith includes indexOf lastIndexOf slice split startsWith substring toLowerCase toUpperCase trim trimEnd trimStart'.split(
    ' ',
  ),
);

function isPlain(token: Token, tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  const after = tokens[index + 1];
  const isMember = isMark(before, '.') || isMark(before, '?.');
  switch (token.kind) {
    case 'literal':
      return true;
    case 'operator':
      return OPERATOR.test(token.text);
    case 'mark':
      if (token.text === '.' || token.text === '?.') return after?.kind === 'name';
      return token.text !== '(' || before === undefined || !isCalled(before);
    case 'name':
      if (isMark(after, '(')) return isMember ? METHODS.has(token.text) : CALLED.has(token.text);
      return isMember || READ.has(token.text) || isKey(before, after);
    default:
      return token.kind satisfies never;
  }
}

/** Names that may stand before a bracket: those of methods are checked as members. */
const CALLED = new Set(['calls', 'typeof']);

/** Whether a bracket after this token would call something that has no name. */
function isCalled({ kind, text }: Token): boolean {
  return kind === 'literal' || [')', ']', '}'].includes(text);
}

/** A key of `{ pass: true, reason: 'polite' }`. */
function isKey(before: Token | undefined, after: Token | undefined): boolean {
  return isMark(after, ':') && (isMark(before, '{') || isMark(before, ','));
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}
