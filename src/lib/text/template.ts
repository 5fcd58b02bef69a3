import { valueAt } from '../json.ts';

/** A template cut at its placeholders: text as it stands, and dotted names. */
export type TemplatePart = string | { readonly name: string };

/**
 * The parts of a text with `{{ dotted.name }}` in it. A name is words of letters, digits, `_` and `-`, the first one
 * not starting with a digit; braces around anything else are text.
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

/** The names a template asks for, each once, in order of first use. */
export function templateNames(text: string): readonly string[] {
  if (!text.includes('{{')) return [];
  return [...new Set(parseTemplate(text).flatMap((part) => (typeof part === 'string' ? [] : [part.name])))];
}

/** Names that stand behind `{{` and are followed by something else than `}}`. */
export function openNames(text: string): readonly string[] {
  return [...text.matchAll(OPENED)].map(([, name = '']) => name);
}

/** The text with every placeholder replaced by what `valueOf` gives; where that is undefined it stays as written. */
export function renderTemplate(text: string, valueOf: (name: string) => unknown): string {
  if (!text.includes('{{')) return text;
  return text.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = valueOf(name);
    return value === undefined ? placeholder : templateText(value);
  });
}

/** What a value becomes inside a text: texts as they are, anything else as compact JSON. */
export function templateText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** What a dotted name stands for. */
export function namedValue(root: unknown, dottedName: string): unknown {
  return valueAt(root, dottedName.split('.'));
}

const OPENED = /\{\{[ \t]*([A-Za-z_][\w-]*(?:\.[\w-]+)*)(?![\w-]|\.[\w-])(?![ \t]*\}\})/g;
const PLACEHOLDER = /\{\{[ \t]*([A-Za-z_][\w-]*(?:\.[\w-]+)*)[ \t]*\}\}/g;
