import { isObject, type JsonObject } from '../../lib/json.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { promptFile } from '../../lib/text/prompt-file.ts';
import { FILTER_FORMS, FilterResultTooLong } from '../../lib/text/template-filters.ts';
import {
  namedValue,
  neededNames,
  openNames,
  type OpenName,
  renderTemplate,
  templateNames,
} from '../../lib/text/template.ts';
import { fault, type Fault, type Path } from './fault.ts';
import { scriptFaults } from './script-faults.ts';

/** Replaces `{{ vars.name }}` in all texts of a value. Unknown names are reported; `\\{{ name }}` stays text. */
export function fillVars<T>(value: T, vars: JsonObject | undefined, tell: (found: Fault) => void): T {
  if (!hasBraces(value)) return value;
  return filled(value, { vars: vars ?? {}, tell, read: () => 'here' }, []) as T;
}

/**
 * The same for an evaluator. Its prompt is filled later, when it is rendered: filled twice, a value would be used as a
 * template. Other braces inside its `config` are passed on unchanged.
 */
export function fillEntry<T>(value: T, vars: JsonObject | undefined, tell: (found: Fault) => void): T {
  if (!hasBraces(value)) return value;
  for (const found of scriptFaults(value, [])) tell(found);
  const read = (path: Path, text: string) => {
    if (isPrompt(path)) return promptFile(text) === undefined ? 'later' : 'here';
    return path.includes('config') ? 'in part' : 'here';
  };
  return filled(value, { vars: vars ?? {}, tell, read }, []) as T;
}

/** The prompt of a judge, also in a member of an evaluator. */
function isPrompt(path: Path): boolean {
  return (
    path.at(-1) === 'prompt' &&
    path.slice(0, -1).every((key) => typeof key === 'number' || key === 'assert' || key === 'aggregator')
  );
}

/** Whether any text of a value uses a var. */
export function hasVars(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{') && templateNames(value).some(isVar);
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) if (hasVars((value as Record<string, unknown>)[key])) return true;
  return false;
}

function hasBraces(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{');
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) if (hasBraces((value as Record<string, unknown>)[key])) return true;
  return false;
}

interface Filling {
  readonly vars: JsonObject;
  readonly tell: (found: Fault) => void;
  /** The reader of the text at a path: only assay, also another program, or a judge later. */
  readonly read: (path: Path, text: string) => 'here' | 'in part' | 'later';
}

function filled(value: unknown, filling: Filling, path: Path): unknown {
  if (typeof value === 'string') return filledText(value, filling, path);
  if (Array.isArray(value)) return value.map((item, index) => filled(item, filling, [...path, index]));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, filled(member, filling, [...path, key])]),
  );
}

function filledText(text: string, { vars, tell, read }: Filling, path: Path): string {
  if (!text.includes('{{')) return text;
  const when = read(path, text);
  const keepsOthers = when !== 'here';
  const fill = (piece: string): string => {
    for (const name of neededNames(piece)) {
      if (!isVar(name) && !keepsOthers) tell(unknownName(name, vars, path));
      if (isVar(name) && namedValue({ vars }, name) === undefined) tell(unknownVar(name, vars, path));
    }
    if (!keepsOthers)
      for (const open of openNames(piece)) if (isOfVars(open.name)) tell(openName(open, path));
    try {
      return renderTemplate(piece, (name) => (isVar(name) ? namedValue({ vars }, name) : undefined));
    } catch (error) {
      if (!(error instanceof FilterResultTooLong)) throw error;
      const hint = 'shorten the value or the arguments of the filter';
      tell(fault('template-too-long', error.message, { path, hint }));
      return piece;
    }
  };
  // Every second piece is an escaped placeholder.
  const pieces = text.split(ESCAPED);
  const result = pieces
    .map((piece, index) => (index % 2 === 0 ? fill(piece) : keepsOthers ? `\\${piece}` : piece))
    .join('');
  return when === 'later' ? text : result;
}

const ESCAPED = /\\(\{\{[ \t]*(?:[A-Za-z_][\w-]*(?:\.[\w-]+)*[ \t]*\}\}|vars(?![\w-])))/;

function unknownName(name: string, vars: JsonObject, path: Path): Fault {
  const [root = ''] = name.split('.');
  const meant = namedValue({ vars }, `vars.${name}`) === undefined ? nearest(root, Object.keys(vars)) : name;
  const text = `to write braces as text, use \`\\{{ ${name} }}\``;
  const hint =
    meant === undefined
      ? `variables start with \`vars.\`; ${text}`
      : `did you mean \`{{ vars.${meant} }}\`? ${text}`;
  return fault('unknown-name', `unknown placeholder \`{{ ${name} }}\``, { path, hint });
}

/** An unknown filter, an index in brackets or a missing brace: the agent would get the unreplaced placeholder. */
function openName({ name, filter }: OpenName, path: Path): Fault {
  if (filter !== undefined)
    return fault('unknown-name', `invalid filter \`${filter}\` after \`{{ ${name}\``, {
      path,
      hint: `filters are ${FILTER_FORMS}`,
    });
  const hint = `only a name and filters are allowed between the braces; to write braces as text, use \`\\{{ ${name}\``;
  return fault('unknown-name', `\`{{ ${name}\` is not followed by \` }}\``, { path, hint });
}

function unknownVar(name: string, vars: JsonObject, path: Path): Fault {
  const meant = nearest(name.slice('vars.'.length), Object.keys(vars));
  const hint =
    meant === undefined ? 'add it to `vars` of the test or the suite' : `did you mean \`vars.${meant}\`?`;
  return fault('unknown-var', `unknown variable \`${name}\``, { path, hint });
}

function isOfVars(name: string): boolean {
  return name === 'vars' || isVar(name);
}

function isVar(name: string): boolean {
  return name.startsWith('vars.');
}
