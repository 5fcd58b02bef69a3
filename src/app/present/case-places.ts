import type { SinkServices } from '../../sinks/plugin.ts';
import type { Plan } from '../../engine/plan.ts';

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
