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
  join: (value, separator = '') => (Array.isArray(value) ? value.map(templateText).join(separator) : value),
  replace: (value, from = '', to = '') => templateText(value).replaceAll(from, () => to),
  default: (value) => value,
};

/** All filters, as they are written. */
export const FILTER_FORMS =
  "upper, lower, capitalize, trim, length, first, last, json, join(', '), replace('a', 'b'), default('x')";

const ARGUMENT = `(?:'[^'\\n]*'|"[^"\\n]*"|-?\\d+(?:\\.\\d+)?)`;
const NONE = `(?:\\([ \\t]*\\)|(?!\\())`;
const ONE = `\\([ \\t]*${ARGUMENT}[ \\t]*\\)`;
const TWO = `\\([ \\t]*${ARGUMENT}[ \\t]*,[ \\t]*${ARGUMENT}[ \\t]*\\)`;

/** The source of a pattern for one filter or more, each after a bar. */
export const FILTERS_PATTERN =
  `(?:[ \\t]*\\|[ \\t]*(?:(?:upper|lower|capitalize|trim|length|first|last|json)\\b${NONE}` +
  `|join\\b(?:${ONE}|${NONE})|replace${TWO}|default${ONE}))+`;

/** The value after filters as written, such as `| trim | default('x')`. Undefined if there is no value. */
export function filtered(value: unknown, filters: string): unknown {
  let result = value;
  for (const { name, args } of calls(filters))
    result =
      (result ?? undefined) === undefined
        ? name === 'default'
          ? args[0]
          : result
        : FILTERS[name]?.(result, ...args);
  return result;
}

/** Whether filters give a value where there is none. */
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

function membersOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'object' && value !== null ? Object.keys(value) : [...templateText(value)];
}
