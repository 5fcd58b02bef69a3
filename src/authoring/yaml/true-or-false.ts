/**
 * Whether an expression in JavaScript or Python certainly gives true or false, such as `output.length < 400 && !vars.x`.
 * Others may give a number.
 */
export function givesTrueOrFalse(text: string): boolean {
  const outer = withoutInnerParts(text.trim().replace(/;$/, ''));
  if (OTHER_FORM.test(outer)) return false;
  return outer.split(/&&|\|\||\band\b|\bor\b/).every((part) => TRUE_OR_FALSE.test(part.trim()));
}

/** Without texts and with `#` for each pair of brackets: `a.includes('x')` becomes `a.includes#`. */
function withoutInnerParts(text: string): string {
  let outer = text.replaceAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''");
  for (let before = ''; before !== outer;) {
    before = outer;
    outer = outer.replaceAll(/[([{][^()[\]{}]*[)\]}]/g, '#');
  }
  return outer;
}

/** Statements, functions, assignments, choices, and operators that are applied after a comparison. */
const OTHER_FORM =
  /[;,\n]|=>|\?(?!\.)|(?<!&)&(?!&)|(?<!\|)\|(?!\|)|(?<![=!<>])=(?!=)|\b(?:return|if|lambda)\b/;

const METHODS = 'includes|startsWith|endsWith|test|some|every|startswith|endswith';
const TRUE_OR_FALSE = new RegExp(
  String.raw`^(?:[Tt]rue|[Ff]alse|![\w$.#?]+|[\w$.#?']+\.(?:${METHODS})#|(?:isinstance|any|all)#|not\b.*)$` +
    String.raw`|\b(?:in|is)\b|[=!]=|(?<![=<>])[<>](?![<>])`,
);
