import { isObject, valueAt } from '../../lib/json.ts';
import { nearest } from '../../lib/text/suggest.ts';
import { check } from '../yaml/check.ts';
import type { Fault } from '../yaml/fault.ts';
import { configSchema, type Written } from './schema.ts';

/** The valid part of a config that has mistakes. */
export interface Salvaged {
  readonly written: Written;
  /** Settings that were left out; those of `run` one by one: `judge`, `run.limits`. */
  readonly omitted: ReadonlySet<string>;
}

/** Leaves out settings with mistakes. Targets stay, because each is checked where it is used. */
export function salvagedConfig(value: unknown, faults: readonly Fault[]): Salvaged | undefined {
  if (!isObject(value)) return undefined;
  const omitted = new Set<string>();
  for (const { path, code } of faults) {
    const [section, key] = path;
    if (section === undefined) return undefined;
    const meant = code === 'unknown-key' ? misspelt(path) : undefined;
    if (meant !== undefined) omitted.add(meant);
    if (section === 'targets' || section === 'runners') {
      if (!isObject(valueAt(value, path.slice(0, 2)))) omitted.add('targets');
      continue;
    }
    omitted.add(section === 'run' && key !== undefined ? `run.${key}` : String(section));
  }
  const checked = check(configSchema, without(value, omitted));
  return checked.value === undefined ? undefined : { written: checked.value, omitted };
}

/** The setting that an unknown key probably means. */
function misspelt([section, key, ...below]: Fault['path']): string | undefined {
  const { run, ...sections } = configSchema.shape;
  if (key === undefined) return nearest(String(section), ['run', ...Object.keys(sections)]);
  if (section !== 'run' || below.length > 0) return undefined;
  const setting = nearest(String(key), Object.keys(run.unwrap().shape));
  return setting === undefined ? undefined : `run.${setting}`;
}

function without(value: Record<string, unknown>, omitted: ReadonlySet<string>): Record<string, unknown> {
  const kept = Object.entries(value).filter(([key]) => key === 'targets' || !omitted.has(key));
  return Object.fromEntries(
    kept.map(([key, section]) => {
      if (!isObject(section)) return [key, section];
      if (key === 'targets' || key === 'runners') return [key, mappingsOf(section)];
      if (key !== 'run') return [key, section];
      const settings = Object.entries(section).filter(([name]) => !omitted.has(`run.${name}`));
      return [key, Object.fromEntries(settings)];
    }),
  );
}

function mappingsOf(section: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(section).filter(([, entry]) => isObject(entry)));
}
