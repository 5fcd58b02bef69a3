import { resolve } from 'node:path';

import type { SinkServices } from '../../sinks/plugin.ts';
import type { Plan } from '../../engine/plan.ts';
import type { SpecPlan } from '../../engine/spec-plan.ts';

/** Positions of cases in code suites. Other suites may be too long to keep that. */
export function casePlaces({ suites, cases }: Plan): NonNullable<SinkServices['placeOf']> {
  let places: Map<string, Map<string, number>> | undefined;
  const remembered = () => {
    const found = suites.map(({ id, cases: all }): [string, Map<string, number>] | undefined =>
      all.length > 0 && all.at(0).module !== undefined ? [id, new Map()] : undefined,
    );
    for (const { suite, index, id } of cases) found[suite]?.[1].set(id, index);
    return new Map(found.filter((each) => each !== undefined));
  };
  return (suite, caseId) => (places ??= remembered()).get(suite)?.get(caseId);
}

/** Source file (absolute) and line (from 1) of cases. Looked up on demand, because reports need only a few. */
export function caseSources({ suites, cases }: SpecPlan, cwd: string): NonNullable<SinkServices['sourceOf']> {
  return (suiteId, caseId) => {
    const planned = [...cases.named(caseId)].find(({ suite }) => suites[suite]?.id === suiteId);
    const source = planned && suites[planned.suite]?.cases.at(planned.index).source;
    return source && { ...source, file: resolve(cwd, source.file) };
  };
}
