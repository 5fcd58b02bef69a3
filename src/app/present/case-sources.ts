import { resolve } from 'node:path';

import type { SpecPlan } from '../../engine/spec-plan.ts';
import type { SinkServices } from '../../sinks/plugin.ts';

/** Source file (absolute) and line (from 1) of cases. Looked up on demand, because reports need only a few. */
export function caseSources({ suites, cases }: SpecPlan, cwd: string): NonNullable<SinkServices['sourceOf']> {
  return (suiteId, caseId) => {
    const planned = [...cases.named(caseId)].find(({ suite }) => suites[suite]?.id === suiteId);
    const source = planned && suites[planned.suite]?.cases.at(planned.index).source;
    return source && { ...source, file: resolve(cwd, source.file) };
  };
}
