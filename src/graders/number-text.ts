export interface WrittenNumber {
  readonly value: number;
  /** With its sign. */
  readonly text: string;
}

/** The last number in a text; undefined for a text without numbers. `numeric` describes the formats. */
export function lastNumber(text: string): WrittenNumber | undefined {
  let found: WrittenNumber | undefined;
  for (const match of text.matchAll(UNSIGNED)) found = written(match, text) ?? found;
  return found;
}

/** The number of a value: a number, or a text with one number and at most a currency or percent sign. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const found = lastNumber(value);
  if (found === undefined) return undefined;
  return /^[\s$\u20ac\u00a3\u00a5%]*$/.test(value.replace(found.text, '')) ? found.value : undefined;
}

/** Either at least two grouping points with a decimal comma, or any other grouping with a decimal point. */
const UNSIGNED = new RegExp(
  String.raw`(?:(?<pointed>(?<![\d.])\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?(?![\d.]))` +
    String.raw`|(?<plain>(?:\d{1,3}(?:[,_'\u2019\u00a0\u202f]\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+))` +
    String.raw`(?:[eE](?<exponent>[-+]?\d+)|\s?[x\u00d7*]\s?10\^(?<power>[-+\u2212]?\d+))?`,
  'g',
);

/** A sign directly before the digits or the currency sign, not a dash after a word or number. */
const SIGN = /(?:^|[^\p{L}\p{N}_)\]\-+\u2212])([-+\u2212][$\u20ac\u00a3\u00a5]?)$/u;

function written(match: RegExpMatchArray, text: string): WrittenNumber | undefined {
  const start = match.index ?? 0;
  const before = text.slice(Math.max(0, start - 3), start);
  if (/[\p{L}_]$/u.test(before) || (match[0].startsWith('.') && /\d$/.test(before))) return undefined;
  const { pointed, plain = '', exponent, power } = match.groups ?? {};
  const digits =
    pointed === undefined ? plain.replaceAll(/[^\d.]/g, '') : pointed.replaceAll('.', '').replace(',', '.');
  const value = Number(`${digits}e${(exponent ?? power ?? '0').replace('\u2212', '-')}`);
  const [, sign = ''] = SIGN.exec(before) ?? [];
  return { value: /^[-\u2212]/.test(sign) ? -value : value, text: sign + match[0] };
}
