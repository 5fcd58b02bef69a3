import { isObject } from '../../lib/json.ts';
import type { JsonObject } from '../../lib/json.ts';
import { nearest } from '../../lib/suggest.ts';
import { renderTemplate, templateNames, valueAt } from '../../lib/template.ts';
import { fault } from './fault.ts';
import type { Fault, Path } from './fault.ts';

/** A value with `{{ vars.name }}` replaced in all its texts; other names stay for whoever knows them. */
export function fillVars<T>(value: T, vars: JsonObject | undefined, tell: (found: Fault) => void): T {
  return hasVars(value) ? (filled(value, { vars: vars ?? {}, tell }, []) as T) : value;
}

/** Whether any text of a value names a var. */
export function hasVars(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{') && templateNames(value).some(isVar);
  if (typeof value !== 'object' || value === null) return false;
  for (const key in value) if (hasVars((value as Record<string, unknown>)[key])) return true;
  return false;
}

interface Filling {
  readonly vars: JsonObject;
  readonly tell: (found: Fault) => void;
}

function filled(value: unknown, filling: Filling, path: Path): unknown {
  if (typeof value === 'string') return filledText(value, filling, path);
  if (Array.isArray(value)) return value.map((item, index) => filled(item, filling, [...path, index]));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, filled(member, filling, [...path, key])]),
  );
}

function filledText(text: string, { vars, tell }: Filling, path: Path): string {
  for (const name of templateNames(text)) {
    if (isVar(name) && valueAt({ vars }, name) === undefined) tell(unknownVar(name, vars, path));
  }
  return renderTemplate(text, (name) => (isVar(name) ? valueAt({ vars }, name) : undefined));
}

function unknownVar(name: string, vars: JsonObject, path: Path): Fault {
  const meant = nearest(name.slice('vars.'.length), Object.keys(vars));
  const hint =
    meant === undefined ? 'add it to `vars` of the test or the suite' : `did you mean \`vars.${meant}\`?`;
  return fault('unknown-var', `there is no \`${name}\``, { path, hint });
}

function isVar(name: string): boolean {
  return name.startsWith('vars.');
}
