import { FILTER_FORMS } from '../../lib/text/template-filters.ts';
import { neededNames, openNames } from '../../lib/text/template.ts';
import type { Path } from '../yaml/fault.ts';
import type { Importing } from './notes.ts';

/** A template of promptfoo with the names of assay: `{{ city }}` becomes `{{ vars.city }}`. */
export function renamedVars(text: string, path: Path, importing: Importing): string {
  if (/\{%|\{#/.test(text))
    importing.note(path, 'tags such as `{% if %}` are not imported', 'write a text for each case of the tag');
  return text.replace(PLACEHOLDER, (whole, inner: string) => {
    const plain = inner
      .trim()
      .replaceAll(RENAMED, (found, bar?: string, safe?: string) =>
        bar === undefined ? found : safe === undefined ? `${bar}json` : '',
      );
    const [, variable = '', filters = ''] = /^(?:vars\.)?([^|\s]*)\s*(.*)$/s.exec(plain) ?? [];
    const written = `{{ vars.${[variable, filters].join(' ').trim()} }}`;
    if (NAME.test(variable) && !variable.startsWith('env.') && openNames(written).length === 0)
      return written;
    importing.note(
      path,
      `\`${whole}\` is not imported: assay has only variables and some filters in braces`,
      `put the final value into a variable of the test; filters are ${FILTER_FORMS}`,
    );
    return `\\${whole}`;
  });
}

/** Names of variables that a template of assay needs, without `vars.` and what follows a dot. */
export function namesIn(text: string): readonly string[] {
  return [...new Set(neededNames(text).map((name) => name.split('.')[1] ?? ''))];
}

/** The same in every text of a value. */
export function renamedIn(value: unknown, path: Path, importing: Importing): unknown {
  if (typeof value === 'string') return renamedVars(value, path, importing);
  if (Array.isArray(value))
    return value.map((each: unknown, index) => renamedIn(each, [...path, index], importing));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, renamedIn(each, [...path, key], importing)]),
  );
}

/** Braces in quotes belong to an argument of a filter. */
const PLACEHOLDER = /\{\{-?((?:'[^'\n]*'|"[^"\n]*"|[^{}'"])*?|[^{}]*?)-?\}\}/g;

/** Filters that write JSON, and `safe`: in prompts, promptfoo escapes nothing. Quoted texts stay. */
const RENAMED = /'[^'\n]*'|"[^"\n]*"|((?<!\s)\s*\|\s*)(?:(safe)\b|(?:dump|tojson)(?:\(\s*\))?(?![\w(]))/g;

const NAME = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;
