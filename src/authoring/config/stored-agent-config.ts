import type { StoredKeys, TargetPlugin } from '../../core/plugin.ts';
import { literalRefusal } from '../../lib/http/address-guard.ts';
import { isObject } from '../../lib/json.ts';
import { textFile } from '../../lib/text/prompt-file.ts';
import { fault, type Fault, type Path, pathLabel } from '../yaml/fault.ts';
import { schemaKeys } from '../yaml/schema-keys.ts';
import { type TargetPlugins, targetFaults } from './check-targets.ts';
import { namesIn } from './expand.ts';
import { secretFaults } from './secret-faults.ts';
import { readPrompt } from './read-prompt.ts';
import { unknownTarget } from './references.ts';
import { commonTargetKeys } from './schema.ts';
import { type AgentPlace, isOfServer } from './store-rules.ts';

/** What keeps a target from being an agent of the store; paths start with `config`. */
export function agentConfigFaults(
  config: Readonly<Record<string, unknown>>,
  place: AgentPlace,
): readonly Fault[] {
  const { type } = config;
  const plugin = typeof type === 'string' ? place.plugins.get(type) : undefined;
  const { stored } = plugin ?? {};
  if (plugin !== undefined && stored === undefined) return [typeOfConfig(plugin.type, place.plugins)];
  const refused = plugin === undefined ? [] : keysOfConfigs(config, plugin);
  const kept = Object.fromEntries(Object.entries(config).filter(([key]) => !refused.includes(key)));
  return [
    ...refused.map(keyOfConfig),
    ...structuralFaults(kept, place.plugins),
    ...judgeFaults(kept['judge'], place.targets),
    ...['prompt', ...(plugin?.texts ?? [])].flatMap((key) => fileFault(kept[key], key)),
    ...promptFaults(kept['prompt']),
    ...variableFaults(kept, stored, place),
    ...(stored?.urls ?? []).flatMap((key) => addressFault(kept[key], key, place)),
    ...secretFaults(kept, inConfig([])),
  ];
}

function structuralFaults(keys: Readonly<Record<string, unknown>>, plugins: TargetPlugins): readonly Fault[] {
  const storable = new Map([...plugins].filter(([, { stored }]) => stored !== undefined));
  return targetFaults({ name: 'config', keys, place: inConfig, faults: [] }, storable);
}

/** Keys that a target of this type can have, and an agent of the store cannot. */
function keysOfConfigs(
  config: Readonly<Record<string, unknown>>,
  { config: schema, stored }: Pick<TargetPlugin, 'config' | 'stored'>,
): readonly string[] {
  const known = new Set([...Object.keys(commonTargetKeys.shape), ...schemaKeys(schema)]);
  const allowed = new Set([...SHARED_KEYS, ...(stored?.all ?? [])]);
  return Object.keys(config).filter((key) => known.has(key) && !allowed.has(key));
}

/** Of the keys that targets of all types share. */
const SHARED_KEYS =
  'type prompt judge maxParallel timeoutMs idleTimeoutMs retryInfrastructure tools price'.split(' ');

function keyOfConfig(key: string): Fault {
  const place = { path: inConfig([key]), at: 'key' } as const;
  if (key === 'mocks') {
    const message = '`config` of a stored agent must not contain `mocks`';
    return fault('not-in-store', message, {
      ...place,
      hint: 'write `mocks` next to `config`, not inside it',
    });
  }
  const hint = 'write the target in the config of the server';
  return fault('not-in-store', `\`config\` of a stored agent must not contain \`${key}\``, {
    ...place,
    hint,
  });
}

function typeOfConfig(type: string, plugins: TargetPlugins): Fault {
  const types = [...plugins.values()].flatMap((each) => (each.stored === undefined ? [] : [each.type]));
  const path = inConfig(['type']);
  const message = `${pathLabel(path)}: agents of type ${JSON.stringify(type)} cannot be stored`;
  const hint = `use ${types.join(', ')}, or write the target in the config of the server`;
  return fault('not-in-store', message, { path, hint });
}

function inConfig(path: Path): Path {
  return ['config', ...path];
}

/** A judge is a target of the config, for `replay:RUN` may be any folder. */
function judgeFaults(judge: unknown, targets: readonly string[]): readonly Fault[] {
  const [name, path] = isObject(judge)
    ? [judge['target'], inConfig(['judge', 'target'])]
    : [judge, inConfig(['judge'])];
  const scoring = isObject(judge) ? SCORING.filter((key) => judge[key] !== undefined) : [];
  return [
    ...(typeof name === 'string' && !targets.includes(name) ? [unknownTarget(name, targets, path)] : []),
    ...scoring.map((key) =>
      fault('misplaced-key', `\`${key}\` applies to the whole run, not to the judge of one target`, {
        path: inConfig(['judge', key]),
        at: 'key',
        hint: 'move it to the top-level key `judge` of the config',
      }),
    ),
  ];
}

const SCORING = ['metrics', 'passThreshold', 'scoreGate', 'toolCalls', 'outcomes'];

function fileFault(text: unknown, key: string): readonly Fault[] {
  const file = typeof text === 'string' ? textFile(text) : undefined;
  if (file === undefined) return [];
  const path = inConfig([key]);
  const message = `${pathLabel(path)}: a stored agent cannot refer to a file such as ${file}`;
  return [
    fault('not-in-store', message, {
      path,
      hint: 'write the text itself; a value that looks like a path is read as a file',
    }),
  ];
}

function promptFaults(prompt: unknown): readonly Fault[] {
  if (typeof prompt !== 'string' || prompt === '' || textFile(prompt) !== undefined) return [];
  return readPrompt(prompt, { directory: '.', path: inConfig(['prompt']) }).faults;
}

function variableFaults(
  config: Readonly<Record<string, unknown>>,
  stored: StoredKeys | undefined,
  { rules }: AgentPlace,
): readonly Fault[] {
  const named = (stored?.variables ?? []).map((key) => [config[key], inConfig([key])] as const);
  return [...namesIn(config, inConfig([])), ...named].flatMap(([name, path]) => {
    if (typeof name !== 'string' || rules.mayRefer(name)) return [];
    const message = `${pathLabel(path)}: agents may not use the environment variable ${name}`;
    const hint = isOfServer(name)
      ? 'use another variable; agents never get DATABASE_URL or a variable whose name begins with ASSAY_'
      : 'use another variable, or list it in ASSAY_AGENT_ENV of the server';
    return [fault('variable-not-allowed', message, { path, hint })];
  });
}

function addressFault(url: unknown, key: string, { rules }: AgentPlace): readonly Fault[] {
  const refusal = typeof url === 'string' ? literalRefusal(url, rules.addresses) : undefined;
  if (refusal === undefined) return [];
  const hint = 'use another address; to allow a private address, list it in ASSAY_AGENT_HOSTS of the server';
  const path = inConfig([key]);
  return [fault('address-forbidden', `${pathLabel(path)}: ${refusal}`, { path, hint })];
}
