import { DEFAULT_LIMITS } from '../../src/core/limits.ts';
import type { RunSpec } from '../../src/core/run-spec.ts';

/** What a run of these cases of the suite `s` executes; the kinds of its cases take turns. */
export function specOf(
  ids: readonly string[],
  kinds: readonly { readonly targets: readonly string[]; readonly repeat: number }[],
): RunSpec {
  const count = Math.max(1, kinds.length);
  return {
    formatVersion: 1,
    options: { patterns: [], targets: [], cases: [] },
    settings: {
      seed: 1,
      concurrency: 1,
      threshold: 0.8,
      retryInfrastructure: 1,
      maxErrored: 0,
      failFast: false,
      limits: DEFAULT_LIMITS,
    },
    suites: [{ id: 's', file: '/s', cases: ids.length }],
    kinds: kinds.map((kind) => ({ suite: 0, graderCount: 0, ...kind })),
    cases: {
      id: ids,
      at: ids.map((_, at) => at),
      kind: ids.map((_, at) => at % count),
      digest: ids.map(() => 0),
      graders: [],
    },
    targets: [{ name: 't', type: 'mock', written: {}, digest: 1 }],
    judges: { targets: [] },
    replays: {},
    digests: ['x', 'y'],
  };
}
