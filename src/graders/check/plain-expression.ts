import { NAMES } from './check-source.ts';

/**
 * Whether an expression only reads its input, ends soon and reaches nothing else of this process, such as
 * `output.includes(vars.city) && calls('refund') === 0`. It has only names of the input, literals, operators without
 * assignment, and calls of a few short methods. So it has no functions, loops, globals or growing texts. Its objects
 * have only the keys of an answer: a key `at`, `then` or `toString` would name code that JavaScript calls.
 */
export function isPlainExpression(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const tokens = tokensOf(text.trim().replace(/;$/, ''));
  if (tokens === undefined || tokens.filter(({ text: name }) => name === 'split').length > 1) return false;
  return tokens.every((token, index) => isPlain(token, tokens, index));
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
/** Their time and memory are at most in proportion to their text. Only a text of what `split` gives is longer. */
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
      return !isMark(after, ':') || before?.kind === 'operator';
    case 'operator':
      return OPERATOR.test(token.text);
    case 'mark':
      return isPlainMark(token.text, before, after);
    case 'name':
      if (isMark(after, '(')) return isMember ? METHODS.has(token.text) : CALLED.has(token.text);
      if (isMark(before, '{') || (isMark(before, ',') && isMark(after, ':')))
        return ANSWER_KEYS.has(token.text) && isMark(after, ':');
      return isMember || READ.has(token.text);
    default:
      return token.kind satisfies never;
  }
}

/** Names that may stand before a bracket: those of methods are checked as members. */
const CALLED = new Set(['calls', 'typeof']);
/** The keys of `{ pass: true, reason: 'polite' }`. */
const ANSWER_KEYS = new Set(['pass', 'score', 'reason']);

function isPlainMark(text: string, before: Token | undefined, after: Token | undefined): boolean {
  switch (text) {
    case '.':
    case '?.':
      return after?.kind === 'name';
    case '(':
      return before === undefined || !isCalled(before);
    case '{':
      return after?.kind === 'name' && !isMark(before, ')');
    case '[':
      // A computed key begins like this.
      return !isMark(before, ',');
    default:
      return true;
  }
}

/** Whether a bracket after this token would call something that has no name. */
function isCalled({ kind, text }: Token): boolean {
  return kind === 'literal' || [')', ']', '}'].includes(text);
}

function isMark(token: Token | undefined, text: string): boolean {
  return token?.kind === 'mark' && token.text === text;
}
