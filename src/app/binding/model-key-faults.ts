import type { LoadedConfig } from '../../authoring/config/load-config.ts';
import { problemAt } from '../../authoring/config/locate.ts';
import { fault, type Path, pathLabel } from '../../authoring/yaml/fault.ts';
import { namesTarget } from '../../core/judge.ts';
import type { ModelChoice } from '../../core/model.ts';
import type { Problem } from '../../core/problem.ts';
import { given } from '../../lib/given.ts';
import { isObject } from '../../lib/json.ts';
import type { PlannedCase } from '../../engine/plan.ts';
import { parseModelName } from '../../models/model-name.ts';
import { misspeltProvider, missingAddress, missingPackage } from '../../models/missing-package.ts';
import { installCommand } from '../../models/install-command.ts';
import { keyHint, modelKey } from '../../models/model-key.ts';
import { judgesIn, type JudgeNames } from './choose-judge.ts';
import type { BoundRun } from './bind.ts';
import { lentModel } from './lent-model.ts';
import { configuredProviders } from './models.ts';
import type { RunOptions } from '../../core/run-options.ts';
import type { TargetUse } from './use-targets.ts';

export interface AskedModels {
  readonly loaded: LoadedConfig;
  /** Targets and judges. */
  readonly uses: readonly TargetUse[];
  /** Models that play users. */
  readonly players?: readonly ModelChoice[];
  readonly cases: Iterable<Pick<PlannedCase, 'targets' | 'digests'>>;
  readonly names: JudgeNames;
  readonly cassette: RunOptions['cassette'];
}

/** Problems that prevent this machine from calling the models of a bound run. */
export function keyFaultsOf({ spec, machine, use, judges, user, plan }: BoundRun): readonly Problem[] {
  return modelKeyFaults({
    loaded: machine.loaded,
    uses: [use, judges.use],
    players: spec.user?.isAsked === true && user?.type === 'simulated' ? [user.choice] : [],
    cases: plan.cases,
    names: judges.names,
    cassette: spec.options.cassette,
  });
}

/**
 * Problems that prevent calls of the models of targets, users and judges: missing keys, settings, addresses and
 * packages. Replayed calls need none of these.
 */
export function modelKeyFaults(asked: AskedModels): readonly Problem[] {
  const { loaded, uses, players = [], cases, names, cassette } = asked;
  if (cassette !== undefined && cassette.mode !== 'record') return [];
  const { providers, faults } = configuredProviders(loaded);
  const { environment, directory } = loaded;
  const source = { providers, environment, directory };
  const problems = new Map<string, Problem>();
  const packages = new Map<string, Set<string>>();
  let place: Path | undefined;
  for (const [choice, target] of [
    ...targetModels(uses),
    ...[
      ...players,
      ...judgesIn(cases, names).flatMap((judge) => (namesTarget(judge) ? [] : [judge])),
      ...graderModels(cases),
    ].map((each) => [each] as const),
  ]) {
    const misspelt = misspeltProvider(choice, source);
    if (misspelt !== undefined) {
      problems.set(choice.model, unknownProvider(choice, misspelt, loaded));
      continue;
    }
    const { missing } = modelKey(choice, source);
    const unset = faults.get(parseModelName(choice.model)?.provider ?? '');
    if (unset !== undefined) problems.set(unset.message, problemAt(loaded.origin, unset));
    else if (missing !== undefined) {
      problems.set(missing.message, withoutKey(choice, missing, { loaded, target }));
    }
    const nowhere = unset === undefined ? missingAddress(choice, source) : undefined;
    if (nowhere !== undefined) problems.set(choice.model, withoutAddress(choice, nowhere, loaded));
    const packageName = missingPackage(choice, source);
    if (packageName === undefined) continue;
    packages.set(packageName, (packages.get(packageName) ?? new Set()).add(choice.model));
    place ??= placeOf(choice, target, loaded);
  }
  return [...problems.values(), ...notInstalled(packages, place, loaded)];
}

/** A missing key. If the target names the variable of its key itself, the problem points there. */
function withoutKey(
  { apiKeyEnv }: ModelChoice,
  missing: { readonly message: string; readonly hint: string },
  { loaded, target }: { readonly loaded: LoadedConfig; readonly target: string | undefined },
): Problem {
  const { origin, written } = loaded;
  const place = target === undefined ? undefined : written.get(target)?.place(['apiKeyEnv']);
  const restart = loaded.isOfServer === true ? '; then start the server again' : '';
  if (apiKeyEnv === undefined || place === undefined) {
    const { message, hint } = missing;
    return { file: origin.file, code: 'credentials-missing', message, hint: `${hint}${restart}` };
  }
  const hint = `${keyHint(apiKeyEnv, `in ${pathLabel(place)}`)}${restart}`;
  return problemAt(origin, fault('credentials-missing', missing.message, { path: place, hint }));
}

function unknownProvider(
  { model }: ModelChoice,
  { provider, meant }: { readonly provider: string; readonly meant: string },
  { origin }: LoadedConfig,
): Problem {
  return {
    file: origin.file,
    code: 'provider-unknown',
    message: `unknown provider ${JSON.stringify(provider)} in model ${JSON.stringify(model)}`,
    hint: `did you mean ${meant}? for a provider of your own, set models.${provider}.baseUrl in the config`,
  };
}

function withoutAddress({ model }: ModelChoice, provider: string, { origin }: LoadedConfig): Problem {
  return {
    file: origin.file,
    code: 'base-url-missing',
    message: `no base URL configured for ${model}`,
    hint: `set models.${provider}.baseUrl in the config`,
  };
}

/** The place in the config that names a model, if any. */
function placeOf(
  { model }: ModelChoice,
  target: string | undefined,
  { config, written }: LoadedConfig,
): Path | undefined {
  if (target !== undefined) return written.get(target)?.place(['model']);
  const role = (['judge', 'user'] as const).find((each) => {
    const choice: unknown = config[each];
    return isObject(choice) && choice['model'] === model;
  });
  return role && [role, 'model'];
}

/** One problem for all packages, because one command installs them. `place` is that of the first model. */
function notInstalled(
  packages: ReadonlyMap<string, ReadonlySet<string>>,
  place: Path | undefined,
  { origin, directory }: LoadedConfig,
): readonly Problem[] {
  const names = [...packages.keys()];
  if (names.length === 0) return [];
  const models = [...packages.values()].flatMap((asked) => [...asked]);
  const [are, need] = [names.length === 1 ? 'is' : 'are', models.length === 1 ? 'needs' : 'need'];
  const message = `${listed(names)} ${are} not installed; ${listed(models)} ${need} ${names.length === 1 ? 'it' : 'them'}`;
  const command = installCommand(names, directory);
  const hint = `run ${command}`;
  if (place === undefined) return [{ file: origin.file, code: 'package-missing', message, hint }];
  return [problemAt(origin, fault('package-missing', message, { path: place, hint }))];
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** The models of targets, with the names of the targets. */
function targetModels(uses: readonly TargetUse[]): readonly (readonly [ModelChoice, string?])[] {
  return uses.flatMap(({ targets }) =>
    [...targets.values()].flatMap((used) => {
      const choice = lentModel(used);
      const within = given({ addresses: used.addresses });
      return choice === undefined ? [] : [[{ ...choice, ...within }, used.settings.name] as const];
    }),
  );
}

/** Models that graders ask themselves, without duplicates. */
function graderModels(cases: AskedModels['cases']): Iterable<ModelChoice> {
  const models = new Map<string, ModelChoice>();
  for (const { digests } of cases)
    for (const choice of digests.models ?? []) models.set(choice.model, choice);
  return models.values();
}
