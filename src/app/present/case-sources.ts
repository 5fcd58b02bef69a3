import { resolve } from 'node:path';

import type { SinkServices } from '../../sinks/plugin.ts';
import type { Plan } from '../../engine/plan.ts';

/** Where cases are written: files as absolute paths, lines from 1. Looked up on demand, for the few that reports name. */
export function caseSources({ suites, cases }: Plan, cwd: string): NonNullable<SinkServices['sourceOf']> {
  return (suiteId, caseId) => {
    const planned = cases.find(({ suite, id }) => id === caseId && suites[suite]?.id === suiteId);
    const source = planned && suites[planned.suite]?.cases.at(planned.index).source;
    return source && { ...source, file: resolve(cwd, source.file) };
  };
}
