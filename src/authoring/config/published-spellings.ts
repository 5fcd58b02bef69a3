import { given } from '../../lib/given.ts';
import { isObject, type JsonObject, valueAt } from '../../lib/json.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';
import type { Written } from './schema.ts';
import { twice, writtenTargets } from './written-targets.ts';

type WrittenRun = NonNullable<Written['run']>;
type PublishedRunKey = 'maxParallel' | 'maxSteps' | 'repeatFailure' | 'retryFailed' | 'reporter';

/** A config with our keys: values under published keys are moved to the keys that they mean. */
export interface Config extends Omit<Written, '$schema' | 'targets' | 'runners' | 'defaults' | 'run'> {
  readonly targets: Readonly<Record<string, JsonObject>>;
  readonly run: Omit<WrittenRun, PublishedRunKey> & { readonly reporters?: readonly string[] };
}

/** Contradictions and refused settings of a config that may be malformed. */
export function publishedFaults(config: unknown): readonly Fault[] {
  if (!isObject(config)) return [];
  const has = (path: Path): boolean => valueAt(config, path) !== undefined;
  const both = PAIRS.filter(([published, ours]) => has(published) && has(ours));
  return [
    ...both.map(([published, ours]) => twice(published, ours.join('.'))),
    ...RERUNS.filter((path) => Number(valueAt(config, path)) > 0).map(rerun),
  ];
}

/** The valid config with our keys. */
export function inOurWords(written: Written): Config {
  const { $schema: _, targets: __, runners: ___, defaults, run = {}, ...rest } = written;
  const { maxParallel, maxSteps, repeatFailure: _4, retryFailed: _5, reporter, ...ours } = run;
  const concurrency = run.schedule === 'serial' ? 1 : (maxParallel ?? run.concurrency);
  const limits = {
    ...ours.limits,
    ...given({ turnTimeoutMs: defaults?.timeoutMs, maxSteps }),
  };
  return {
    ...rest,
    targets: Object.fromEntries(writtenTargets(written).map(({ name, keys }) => [name, keys as JsonObject])),
    run: {
      ...ours,
      ...(Object.keys(limits).length === 0 ? {} : { limits }),
      ...given({ concurrency }),
      ...(reporter === undefined ? {} : { reporters: [reporter].flat().map(reporterName) }),
    },
  };
}

/** Our name of a reporter that may be given by its published name. */
export function reporterName(name: string): string {
  return REPORTERS.get(name) ?? name;
}

const PAIRS: readonly (readonly [published: readonly string[], ours: readonly string[]])[] = [
  [['runners'], ['targets']],
  [
    ['run', 'maxParallel'],
    ['run', 'concurrency'],
  ],
  [
    ['run', 'maxSteps'],
    ['run', 'limits', 'maxSteps'],
  ],
  [
    ['defaults', 'timeoutMs'],
    ['run', 'limits', 'turnTimeoutMs'],
  ],
];

const RERUNS: readonly Path[] = [
  ['run', 'repeatFailure'],
  ['run', 'retryFailed'],
];

const REPORTERS: ReadonlyMap<string, string> = new Map([
  ['standard', 'terminal'],
  ['github-actions', 'github'],
]);

function rerun(path: Path): Fault {
  const message =
    'failed cases are never run again, because that would turn a success rate of 70 % into 91 %';
  const hint = 'use `run.repeat` to measure flakiness, and `run.retryInfrastructure` for outages';
  return fault('rerun-of-failures', `${pathLabel(path)}: ${message}`, { path, hint });
}
