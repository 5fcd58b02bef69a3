import { valueAt } from '../json.ts';
import { filtered, FILTERS_PATTERN, haveDefault, invalidFilter, templateText } from './template-filters.ts';

/** A template split at its placeholders: texts and dotted names, with their filters as written. */
export type TemplatePart = string | { readonly name: string; readonly filters?: string };

/**
 * The parts of a text with `{{ dotted.name }}` in it. A name has words of letters, digits, `_` and `-`, and does not
 * start with a digit; other braces are text. After names in `vars`, filters may follow: `{{ vars.city | upper }}`.
 */
export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    const [, name, variable = '', filters] = match;
    parts.push(filters === undefined ? { name: name ?? variable } : { name: variable, filters });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** The names in a template without duplicates, in order of first use. */
export function templateNames(text: string): readonly string[] {
  if (!text.includes('{{')) return [];
  return [...new Set(parseTemplate(text).flatMap((part) => (typeof part === 'string' ? [] : [part.name])))];
}

/** The names that must have a value: those without the filter `default`. */
export function neededNames(text: string): readonly string[] {
  if (!text.includes('{{')) return [];
  const names = parseTemplate(text).flatMap((part) =>
    typeof part === 'string' || haveDefault(part.filters ?? '') ? [] : [part.name],
  );
  return [...new Set(names)];
}

/** A name after `{{` that is not followed by `}}` or by filters and `}}`. */
export interface OpenName {
  readonly name: string;
  /** The first filter after the name that cannot be read. Absent if the name has none. */
  readonly filter?: string;
}

/** The open names of a text, without duplicates. */
export function openNames(text: string): readonly OpenName[] {
  const found = new Map<string, OpenName>();
  for (const { index, 0: opening, 1: name = '' } of text.matchAll(OPENED)) {
    const filter = invalidFilter(text, index + opening.length);
    found.set(`${name}|${filter}`, filter === undefined ? { name } : { name, filter });
  }
  return [...found.values()];
}

/** Replaces every placeholder by the result of `valueOf`; if that is undefined, the placeholder stays. */
export function renderTemplate(text: string, valueOf: (name: string) => unknown): string {
  if (!text.includes('{{')) return text;
  return text.replace(PLACEHOLDER, (placeholder, ...groups: (string | undefined)[]) => {
    const [name, variable = '', filters = ''] = groups;
    const value = filtered(valueOf(name ?? variable), filters);
    return value === undefined ? placeholder : templateText(value);
  });
}

export function namedValue(root: unknown, dottedName: string): unknown {
  return valueAt(root, dottedName.split('.'));
}

const NAME = `[A-Za-z_][\\w-]*(?:\\.[\\w-]+)*`;
const VARIABLE = `vars(?:\\.[\\w-]+)+`;
const END = `[ \\t]*\\}\\}`;
const PLACEHOLDER = new RegExp(
  `\\{\\{[ \\t]*(?:(${NAME})${END}|(${VARIABLE})(${FILTERS_PATTERN})${END})`,
  'g',
);
const OPENED = new RegExp(
  `\\{\\{[ \\t]*(?!${VARIABLE}${FILTERS_PATTERN}${END})(${NAME})(?![\\w-]|\\.[\\w-])(?!${END})`,
  'g',
);
