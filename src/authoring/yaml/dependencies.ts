import { nearest } from '../../lib/text/suggest.ts';
import { fault, type Fault } from './fault.ts';
import type { RawTest } from './source.ts';

/** A test that depends on others. */
export interface Dependent {
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly raw: RawTest;
}

/** Dependencies on unknown tests, and circular ones. */
export function dependencyFaults(
  dependents: readonly Dependent[],
  ids: ReadonlyMap<string, unknown>,
): readonly { readonly raw: RawTest; readonly found: Fault }[] {
  const unknown = dependents.flatMap(({ dependsOn, raw }) =>
    dependsOn.flatMap((id, index) => {
      if (ids.has(id)) return [];
      const meant = nearest(id, ids.keys());
      const hint = meant === undefined ? {} : { hint: `did you mean "${meant}"?` };
      const message = `unknown test "${id}" in \`depends_on\``;
      return [{ raw, found: fault('unknown-id', message, { path: ['depends_on', index], ...hint }) }];
    }),
  );
  const circles = circlesOf(dependents).map(({ raw, circle }) => {
    const message = `circular \`depends_on\`: ${circle.join(' -> ')}`;
    return { raw, found: fault('dependency-cycle', message, { path: ['depends_on'] }) };
  });
  return [...unknown, ...circles];
}

/** Each cycle once, starting with its first test in the file. */
function circlesOf(dependents: readonly Dependent[]): readonly { raw: RawTest; circle: readonly string[] }[] {
  const byId = new Map(dependents.map((dependent) => [dependent.id, dependent]));
  const done = new Set<string>();
  const circles: { raw: RawTest; circle: readonly string[] }[] = [];
  for (const { id: from } of dependents) {
    // Uses its own stack, because a chain may be longer than the call stack is deep.
    const trail: { readonly id: string; next: number }[] = done.has(from) ? [] : [{ id: from, next: 0 }];
    const onTrail = new Set(trail.map(({ id }) => id));
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const dependent = byId.get(top.id);
      const needed = dependent?.dependsOn[top.next];
      top.next += 1;
      if (needed === undefined) {
        done.add(top.id);
        onTrail.delete(top.id);
        trail.pop();
      } else if (onTrail.has(needed)) {
        const ids = trail.map(({ id }) => id);
        const first = byId.get(needed);
        if (first !== undefined)
          circles.push({ raw: first.raw, circle: [...ids.slice(ids.indexOf(needed)), needed] });
      } else if (!done.has(needed)) {
        trail.push({ id: needed, next: 0 });
        onTrail.add(needed);
      }
    }
  }
  return circles;
}
