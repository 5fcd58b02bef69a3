/** What a filter of a template makes of a value. Arguments are texts. */
type Filter = (value: unknown, ...args: readonly string[]) => unknown;

const FILTERS: Readonly<Record<string, Filter>> = {
  upper: (value) => templateText(value).toUpperCase(),
  lower: (value) => templateText(value).toLowerCase(),
  capitalize: (value) => {
    const text = templateText(value).toLowerCase();
    return text.slice(0, 1).toUpperCase() + text.slice(1);
  },
  trim: (value) => templateText(value).trim(),
  length: (value) => membersOf(value).length,
  first: (value) => membersOf(value)[0] ?? '',
  last: (value) => membersOf(value).at(-1) ?? '',
  json: (value) => JSON.stringify(value),
  join: (value, separator = '') =>
    Array.isArray(value) ? joined(value.map(templateText), { separator, filter: 'join' }) : value,
  replace: (value, from = '', to = '') =>
    joined(templateText(value).split(from), { separator: to, filter: 'replace' }),
  default: (value) => value,
};

/** The most characters that a filter may give. Without a limit, a chain of filters could fill the memory. */
const MOST_CHARACTERS = 1_000_000;

/** A filter would give more than a million characters. */
export class FilterResultTooLong extends Error {
  constructor(filter: string) {
    super(`the filter \`${filter}\` gives more than 1,000,000 characters`);
    this.name = 'FilterResultTooLong';
  }
}

/** All filters, as they are written. */
export const FILTER_FORMS =
  "upper, lower, capitalize, trim, length, first, last, json, join(', '), replace('a', 'b'), default('x')";

const argument = (characters: '*' | '+') =>
  `(?:'[^'\\n]${characters}'|"[^"\\n]${characters}"|-?\\d+(?:\\.\\d+)?)`;
const ARGUMENT = argument('*');
const NONE = `(?:\\([ \\t]*\\)|(?!\\())`;
const ONE = `\\([ \\t]*${ARGUMENT}[ \\t]*\\)`;
const TWO = `\\([ \\t]*${argument('+')}[ \\t]*,[ \\t]*${ARGUMENT}[ \\t]*\\)`;

/** The source of a pattern for 1 to 20 filters, each after a bar. */
export const FILTERS_PATTERN =
  `(?:[ \\t]*\\|[ \\t]*(?:(?:upper|lower|capitalize|trim|length|first|last|json)\\b${NONE}` +
  `|join\\b(?:${ONE}|${NONE})|replace${TWO}|default${ONE})){1,20}`;

/** The value after filters as written, such as `| trim | default('x')`. Undefined if the value is missing and no filter replaces it. */
export function filtered(value: unknown, filters: string): unknown {
  let result = value;
  for (const { name, args } of calls(filters)) {
    const isThere = result !== undefined && result !== null;
    if (isThere) result = FILTERS[name]?.(result, ...args);
    else if (name === 'default') [result] = args;
    if (typeof result === 'string' && result.length > MOST_CHARACTERS) throw new FilterResultTooLong(name);
  }
  return result;
}

/** Whether the filters contain `default`, which replaces a missing value. */
export function haveDefault(filters: string): boolean {
  return calls(filters).some(({ name }) => name === 'default');
}

/** The first filter that cannot be read, of those from an index of a text on. Undefined if all can be read. */
export function invalidFilter(text: string, index: number): string | undefined {
  FILTERS_HERE.lastIndex = index;
  FILTER_HERE.lastIndex = FILTERS_HERE.test(text) ? FILTERS_HERE.lastIndex : index;
  return FILTER_HERE.exec(text)?.[1];
}

const FILTERS_HERE = new RegExp(FILTERS_PATTERN, 'y');
const FILTER_HERE = /[ \t]*\|[ \t]*(\w+)/y;

/** A value inside a text: texts unchanged, other values as compact JSON. */
export function templateText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

const CALL = new RegExp(`\\|[ \\t]*(\\w+)(?:\\(((?:[ \\t,]|${ARGUMENT})*)\\))?`, 'g');

function calls(filters: string): readonly { readonly name: string; readonly args: readonly string[] }[] {
  return [...filters.matchAll(CALL)].map(([, name = '', args = '']) => ({
    name,
    args: [...args.matchAll(new RegExp(ARGUMENT, 'g'))].map(([each]) => each.replace(/^(['"])(.*)\1$/, '$2')),
  }));
}

/** The length is known before the text is made. */
function joined(
  parts: readonly string[],
  { separator, filter }: { readonly separator: string; readonly filter: string },
): string {
  const length = parts.reduce((sum, part) => sum + part.length, separator.length * (parts.length - 1));
  if (length > MOST_CHARACTERS) throw new FilterResultTooLong(filter);
  return parts.join(separator);
}

function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.keys(value) : [...templateText(value)];
}
