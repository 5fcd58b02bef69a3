import { problemAt } from '../../authoring/config/locate.ts';
import { fault } from '../../authoring/yaml/fault.ts';
import type { BaselineStore } from '../../core/baseline-store.ts';
import type { Problem } from '../../core/problem.ts';

export interface AskedBaseline {
  /** Targets of the run. */
  readonly targets: readonly string[];
  readonly line: string;
  /** Names of agents by those of their targets. Only of agents that the run has in several versions. */
  readonly versions: ReadonlyMap<string, string>;
}

export type HoldingBaseline = { readonly reference: string } | { readonly problem: Problem };

/** The baseline that holds for all targets of a run in its line. Several must be of one run. */
export async function holdingBaseline(
  { targets, line, versions }: AskedBaseline,
  baselines: Pick<BaselineStore, 'holding'>,
): Promise<HoldingBaseline> {
  const found = new Set<string>();
  for (const target of targets) {
    const [holding] = await baselines.holding({ target, line });
    if (holding === undefined) {
      const shown = `the target ${JSON.stringify(target)} in the line ${JSON.stringify(line)}`;
      const agent = versions.get(target);
      return agent === undefined
        ? refused(`no baseline is set for ${shown}`, 'set one with POST /baselines, or name a run')
        : refused(
            `no baseline is set for ${shown}, which is one of several versions of an agent`,
            `run one version to compare it with the baseline of ${JSON.stringify(agent)}, or name a run that has these versions: "baseline": {"run_id": "..."}`,
          );
    }
    found.add(holding.runId);
  }
  const [only, other] = found;
  if (only !== undefined && other === undefined) {
    return { reference: targets.length === 1 ? `${only}#${targets[0]}` : only };
  }
  return refused(
    `the baselines of the targets are ${found.size} different runs, but a run can only be compared with one`,
    'run only one target, or name the run to compare with',
  );
}

function refused(message: string, hint: string): HoldingBaseline {
  return {
    problem: problemAt({ file: 'request' }, fault('no-baseline', message, { path: ['baseline'], hint })),
  };
}
