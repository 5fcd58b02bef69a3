import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import type { JudgeChoice } from '../../core/judge.ts';
import type { ModelChoice } from '../../core/model.ts';
import type { Problem } from '../../core/problem.ts';
import type { PlannedCase } from '../../engine/plan.ts';
import { parseModelName } from '../../models/model-name.ts';
import { modelKey } from '../../models/model-key.ts';
import { chooseJudge, type JudgeNames } from '../judging/choose-judge.ts';
import { configuredProviders } from '../run/models.ts';
import type { RunOptions } from '../run-options.ts';
import type { TargetUse } from './use-targets.ts';

export interface AskedModels {
  readonly loaded: LoadedConfig;
  /** Targets and judges. */
  readonly uses: readonly TargetUse[];
  /** Models that play users. */
  readonly players?: readonly ModelChoice[];
  readonly cases: readonly Pick<PlannedCase, 'targets' | 'digests'>[];
  readonly names: JudgeNames;
  readonly cassette: RunOptions['cassette'];
}

/** Models of targets, users and judges that need a key, or a setting, which is not there; what is replayed needs none. */
export function modelKeyFaults(asked: AskedModels): readonly Problem[] {
  const { loaded, uses, players = [], cases, names, cassette } = asked;
  if (cassette !== undefined && cassette.mode !== 'record') return [];
  const { providers, faults } = configuredProviders(loaded);
  const source = { providers, environment: loaded.environment };
  const problems = new Map<string, Problem>();
  for (const choice of [...targetModels(uses), ...players, ...judgeModels(cases, names)]) {
    const { missing } = modelKey(choice, source);
    const unset = faults.get(parseModelName(choice.model)?.provider ?? '');
    if (unset !== undefined) problems.set(unset.message, problemAt(loaded.origin, unset));
    else if (missing !== undefined) {
      problems.set(missing.message, { file: loaded.origin.file, code: 'credentials-missing', ...missing });
    }
  }
  return [...problems.values()];
}

function targetModels(uses: readonly TargetUse[]): readonly ModelChoice[] {
  return uses.flatMap(({ targets }) =>
    [...targets.values()].flatMap(
      ({ settings, plugin }) => plugin.asModel?.(settings.config, settings) ?? [],
    ),
  );
}

/** Judges that are models, each once. */
function judgeModels(cases: AskedModels['cases'], names: JudgeNames): Iterable<ModelChoice> {
  const models = new Map<string, ModelChoice>();
  for (const { targets, digests } of cases) {
    for (const named of digests.judges ?? []) {
      for (const target of targets) {
        const chosen: JudgeChoice | undefined = chooseJudge(names, named ?? undefined, target);
        if (chosen === undefined || typeof chosen === 'string') continue;
        models.set([chosen.model, chosen.baseUrl, chosen.apiKeyEnv].join('\n'), chosen);
      }
    }
  }
  return models.values();
}
