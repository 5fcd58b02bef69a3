import type { GraderPlugin, PartShelf, TargetPlugin } from '../core/plugin.ts';
import { everydayGraders } from '../graders/everyday.ts';
import { everydayTargets } from '../targets/everyday.ts';

/** The targets of these types. The common ones load alone; naming any other type loads all the rest. */
export async function targetPlugins(types: readonly unknown[]): Promise<ReadonlyMap<string, TargetPlugin>> {
  const everyday = byType(everydayTargets);
  return types.every((type) => typeof type === 'string' && everyday.has(type))
    ? everyday
    : await allTargets();
}

export async function allTargets(): Promise<ReadonlyMap<string, TargetPlugin>> {
  return byType((await import('../targets/index.ts')).targets);
}

export async function allGraders(): Promise<ReadonlyMap<string, GraderPlugin>> {
  return byType((await import('../graders/index.ts')).graders);
}

/** Graders that are loaded when the first suite names one of them. */
export interface GraderShelf extends PartShelf<GraderPlugin> {
  all(): Promise<ReadonlyMap<string, GraderPlugin>>;
  /** The loaded graders, by type. */
  loaded(): ReadonlyMap<string, GraderPlugin>;
}

export function graderShelf(): GraderShelf {
  let known = byType(everydayGraders);
  const all = async () => (known = await allGraders());
  return {
    get: (type) => known.get(type),
    keys: () => known.keys(),
    async load(types) {
      if (types.some((type) => !known.has(type))) await all();
    },
    all,
    loaded: () => known,
  };
}

function byType<Part extends { readonly type: string }>(parts: readonly Part[]): ReadonlyMap<string, Part> {
  return new Map(parts.map((part) => [part.type, part]));
}
