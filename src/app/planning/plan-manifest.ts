import { resolve } from 'node:path';

import type { KeptSettings, Manifest } from '../../core/manifest.ts';
import type { Plan } from '../../engine/plan.ts';
import { digestOf } from '../../lib/digest.ts';
import { given } from '../../lib/given.ts';
import type { JsonObject } from '../../lib/json.ts';
import { fileDigest, treeDigest } from '../project/file-digests.ts';
import { worldsOf } from './mocks-digest.ts';
import { textFile } from '../../lib/text/prompt-file.ts';
import { shownConfig } from './shown-config.ts';
import type { TargetedPlan } from './plan-of.ts';
import { suitesOf } from './suite-digests.ts';
import type { EffectiveSettings } from './effective-settings.ts';
import type { Project } from '../binding/machine.ts';
import type { UsedTarget } from '../binding/target-pool.ts';

/** The part of the manifest that the plan decides. */
export type PlanManifest = Pick<
  Manifest,
  | 'config'
  | 'settings'
  | 'suites'
  | 'targets'
  | 'trials'
  | 'seed'
  | 'projectRoot'
  | 'chosenFrom'
  | 'hermetic'
  | 'isolation'
>;

export function planManifest(planned: TargetedPlan): PlanManifest {
  const { options, project, settings, plan, wholeSuiteDigests, digests, use } = planned;
  const { loaded, projectRoot } = project;
  const { concurrency, threshold, repeat, retryInfrastructure, maxErrored, limits, seed } = settings;
  return {
    projectRoot,
    ...(loaded.file === undefined ? {} : { config: { file: loaded.file, digest: loaded.digest } }),
    settings: {
      options,
      limits,
      concurrency,
      threshold,
      repeat,
      retryInfrastructure,
      maxErrored,
      ...(options.stored === true ? storedSettings(settings, loaded) : {}),
    },
    suites: suitesOf(plan, digests).map((suite) => {
      const onlyCase = suite.cases === 1 ? onlyNameOf(plan) : undefined;
      return { ...suite, ...given({ onlyCase, whole: wholeSuiteDigests.get(suite.id) }) };
    }),
    targets: [...use.targets].map(([name, used]) => {
      const { settings: own } = used;
      const { agent, variant } = loaded.written.get(name) ?? {};
      const config = use.written.get(name) ?? {};
      return {
        name,
        type: own.type,
        config: shownConfig(config),
        digest: digests.numberOf(targetDigest(config, used, project)),
        ...given({ agent, variant }),
      };
    }),
    trials: plan.size,
    seed,
    hermetic: use.isHermetic,
    isolation: use.isolation,
  };
}

function onlyNameOf({ suites, cases }: Plan): string | undefined {
  const [only] = cases.length === 1 ? cases : [];
  return only === undefined ? undefined : suites[only.suite]?.cases.at(only.index).name;
}

/** The settings for running and judging stored cases, as written. */
function storedSettings(
  { difficultyWeights }: EffectiveSettings,
  { config: { user, judge } }: Project['loaded'],
): KeptSettings {
  return {
    difficultyWeights: { ...difficultyWeights },
    ...(user === undefined
      ? {}
      : { user: typeof user === 'string' ? user : shownConfig(user as JsonObject) }),
    ...(judge === undefined
      ? {}
      : { judge: typeof judge === 'string' ? judge : shownConfig(judge as JsonObject) }),
  };
}

/** Covers the written settings, and the contents of the named files and worlds. */
export function targetDigest(
  config: JsonObject,
  { settings, plugin, imageId }: UsedTarget,
  { loaded: { directory }, worldsByTool }: Pick<Project, 'loaded' | 'worldsByTool'>,
): string {
  const worlds = worldsOf(settings, worldsByTool);
  const files = plugin.files?.(settings.config) ?? [];
  const staged = plugin.stages?.(settings.config, directory) ?? [];
  const texts = (plugin.texts ?? []).filter((key) => textFile(String(config[key] ?? '')) !== undefined);
  return digestOf({
    type: settings.type,
    config,
    ...(files.length === 0 ? {} : { files: files.map((file) => fileDigest(resolve(directory, file))) }),
    ...(texts.length === 0 ? {} : { texts: texts.map((key) => settings.config[key]) }),
    // The text of a file; a text in the config is in `config` already.
    ...(textFile(String(config['prompt'] ?? '')) === undefined ? {} : given({ prompt: settings.prompt })),
    ...given({ worlds, imageId }),
    ...(staged.length === 0 ? {} : { staged: staged.map(({ source, to }) => [to, treeDigest(source)]) }),
  });
}
