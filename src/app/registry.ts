import type { GraderPlugin, TargetPlugin } from '../core/plugin.ts';
import type { SinkPlugin } from '../core/log.ts';
import { graders } from '../graders/index.ts';
import { sinks } from '../sinks/index.ts';
import { targets } from '../targets/index.ts';

/** Every part that a `type:` can name. */
export interface Registry {
  readonly graders: ReadonlyMap<string, GraderPlugin>;
  readonly targets: ReadonlyMap<string, TargetPlugin>;
  readonly sinks: ReadonlyMap<string, SinkPlugin>;
}

/** The parts that come with assay. */
export function builtins(): Registry {
  return { graders: byType(graders), targets: byType(targets), sinks: byType(sinks) };
}

function byType<Part extends { readonly type: string }>(parts: readonly Part[]): ReadonlyMap<string, Part> {
  return new Map(parts.map((part) => [part.type, part]));
}
