import { valueAt } from '../json.ts';

/** A template split at its placeholders: texts and dotted names. */
export type TemplatePart = string | { readonly name: string };

/**
 * The parts of a text with `{{ dotted.name }}` in it. A name has words of letters, digits, `_` and `-`, and does not
 * start with a digit; other braces are text.
 */
export function parseTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push({ name: match[1] ?? '' });
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

/** Names after `{{` that are not followed by `}}`. */
export function openNames(text: string): readonly string[] {
  return [...text.matchAll(OPENED)].map(([, name = '']) => name);
}

/** Replaces every placeholder by the result of `valueOf`; if that is undefined, the placeholder stays. */
export function renderTemplate(text: string, valueOf: (name: string) => unknown): string {
  if (!text.includes('{{')) return text;
  return text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = valueOf(name);
    return value === undefined ? placeholder : templateText(value);
  });
}

/** A value inside a text: texts unchanged, other values as compact JSON. */
export function templateText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

export function namedValue(root: unknown, dottedName: string): unknown {
  return valueAt(root, dottedName.split('.'));
}

const OPENED = /\{\{[ \t]*([A-Za-z_][\w-]*(?:\.[\w-]+)*)(?![\w-]|\.[\w-])(?![ \t]*\}\})/g;
const PLACEHOLDER = /\{\{[ \t]*([A-Za-z_][\w-]*(?:\.[\w-]+)*)[ \t]*\}\}/g;
