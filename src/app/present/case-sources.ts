import { resolve } from 'node:path';

import type { SinkServices } from '../../sinks/plugin.ts';
import type { Plan } from '../../engine/plan.ts';

/** Source file (absolute) and line (from 1) of cases. Looked up on demand, because reports need only a few. */
export function caseSources({ suites, cases }: Plan, cwd: string): NonNullable<SinkServices['sourceOf']> {
  return (suiteId, caseId) => {
    const planned = cases.find(({ suite, id }) => id === caseId && suites[suite]?.id === suiteId);
    const source = planned && suites[planned.suite]?.cases.at(planned.index).source;
    return source && { ...source, file: resolve(cwd, source.file) };
  };
}
