import type { LoadedConfig } from '../../../authoring/config/load-config.ts';
import { problemAt } from '../../../authoring/config/locate.ts';
import type { CaseGrading } from '../../../authoring/stored/map.ts';
import type { Problem } from '../../../core/problem.ts';
import { BUILT_IN_METRICS, type Metric } from '../../../graders/conversation/metrics.ts';
import { chooseMetrics, type MetricFault } from '../../../graders/conversation/choose-metrics.ts';
import { given } from '../../../lib/given.ts';
import { isObject, type JsonObject } from '../../../lib/json.ts';

const DEFAULTS = { passThreshold: 75, scoreGate: 'auto', toolCalls: 'gate', outcomes: 'gate' } as const;

/** How the config grades stored cases: the metrics, and which of them decide. */
export function chooseGrading(loaded: LoadedConfig): {
  readonly grading: Omit<CaseGrading, 'expectations'>;
  readonly problems: readonly Problem[];
} {
  const { judge, metrics: written = [] } = loaded.config;
  const settings = typeof judge === 'string' ? undefined : judge;
  const custom = written.map(({ tier = 'custom', displayName, ...metric }): Metric => ({
    ...metric,
    tier,
    ...given({ displayName }),
  }));
  const { metrics, faults } = chooseMetrics(settings?.metrics, custom);
  return {
    grading: {
      metrics: metrics.map((metric): JsonObject => ({ ...metric })),
      passThreshold: settings?.passThreshold ?? DEFAULTS.passThreshold,
      scoreGate: settings?.scoreGate ?? DEFAULTS.scoreGate,
      toolCalls: settings?.toolCalls ?? DEFAULTS.toolCalls,
      outcomes: settings?.outcomes ?? DEFAULTS.outcomes,
    },
    problems: [
      ...faults.map((found) => ({ ...found, path: ['judge', 'metrics', ...found.path] })),
      ...[...loaded.written].flatMap(([name, { keys }]) => misplaced(name, keys['judge'])),
      ...custom.flatMap(({ id }, index) => takenId(id, index, custom)),
    ].map((found) => problemAt(loaded.origin, { ...found, at: 'value' })),
  };
}

/** The pass threshold of stored cases, 0 to 1. A case with outcomes may have its own. */
export function thresholdOfCases({ config: { judge } }: Pick<LoadedConfig, 'config'>): number {
  const { passThreshold = DEFAULTS.passThreshold, scoreGate } = typeof judge === 'object' ? judge : {};
  return scoreGate === 'never' ? 0 : passThreshold / 100;
}

/** The judge of one target must not have scoring keys, because these apply to the whole run. */
function misplaced(target: string, judge: unknown): readonly MetricFault[] {
  return ['metrics', ...Object.keys(DEFAULTS)]
    .filter((key) => isObject(judge) && judge[key] !== undefined)
    .map((key) => ({
      path: ['targets', target, 'judge', key],
      code: 'misplaced-key',
      message: `\`${key}\` applies to the whole run, not to the judge of one target`,
      hint: 'move it to `judge` of the config',
    }));
}

function takenId(id: string, index: number, custom: readonly Metric[]): readonly MetricFault[] {
  const isBuiltIn = BUILT_IN_METRICS.some((metric) => metric.id === id);
  if (!isBuiltIn && custom.findIndex((metric) => metric.id === id) === index) return [];
  const message = isBuiltIn ? `${id} is a built-in metric` : `the metric ${id} is defined twice`;
  return [{ path: ['metrics', index, 'id'], code: 'duplicate-metric', message, hint: 'choose another id' }];
}
