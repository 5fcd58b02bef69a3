import type { TargetFinding, TargetPlugin, TargetSettings } from '../../core/plugin.ts';
import type { AgentAdapter } from './adapter.ts';
import type { AgentConfig } from './agent-config.ts';
import { isOnPath } from '../../lib/process/is-on-path.ts';
import { isolationNames } from './environment.ts';
import { staysBelow } from './private-home.ts';
import { shortSecretFindings } from './short-secrets.ts';
import { skillFolders } from './skill-folders.ts';

type Place = Parameters<NonNullable<TargetPlugin['check']>>[1];

type Checked = Pick<
  AgentAdapter,
  'isolation' | 'credentials' | 'skillsDirectories' | 'type' | 'companion' | 'masksSecrets'
>;

export function checkAgent(
  adapter: Checked,
  settings: Omit<TargetSettings, 'config'> & { readonly config: AgentConfig },
  place: Place,
): readonly TargetFinding[] {
  return [
    ...isolationFindings(adapter, settings),
    ...(adapter.masksSecrets === true ? shortSecretFindings(adapter.type, settings, place) : []),
    ...fileFindings(settings.config),
    ...skillFindings(adapter, settings.config, place),
    ...companionFindings(adapter, settings, place),
    ...credentialFindings(adapter, settings, place),
  ];
}

function isolationFindings(
  adapter: Checked,
  { env = {} }: Pick<TargetSettings, 'env'>,
): readonly TargetFinding[] {
  const taken = new Set(isolationNames(adapter));
  return Object.keys(env)
    .filter((name) => taken.has(name))
    .map((name) => ({
      path: ['env', name],
      weight: 'error',
      code: 'isolation-variable',
      message: 'assay uses this variable to isolate the agent, so it cannot be set',
      hint: 'remove it from `env`; use `files` for files in the private home folder of the agent, or `inheritConfig: true` for your own settings',
    }));
}

function fileFindings({ files = {}, inheritConfig }: AgentConfig): readonly TargetFinding[] {
  const names = Object.keys(files);
  if (inheritConfig === true && names.length > 0) {
    return [
      {
        path: ['files'],
        weight: 'error',
        code: 'agent-files',
        message:
          '`files` needs a private home folder, which an agent with `inheritConfig: true` does not have',
        hint: 'remove `files`, or remove `inheritConfig: true`',
      },
    ];
  }
  return names
    .filter((name) => !staysBelow(name))
    .map((name) => ({
      path: ['files', name],
      weight: 'error',
      code: 'agent-files',
      message: 'this path is outside the private home folder of the agent',
      hint: 'write a path relative to this folder, such as .config/agent.json',
    }));
}

function skillFindings(
  { skillsDirectories, type }: Checked,
  { skills = [] }: AgentConfig,
  { directory }: Place,
): readonly TargetFinding[] {
  const problem = (index: number, message: string, hint: string): TargetFinding => ({
    path: ['skills', index],
    weight: 'error',
    code: 'agent-skills',
    message,
    hint,
  });
  const seen = new Set<string>();
  return skills.flatMap((entry, index) => {
    if (skillsDirectories.length === 0) {
      return [
        problem(
          index,
          `assay does not know in which folder ${type} looks for skills`,
          'put the skills into the workspace template',
        ),
      ];
    }
    const found = skillFolders(entry, directory);
    if (found.length === 0) {
      const hint = 'name a folder with a SKILL.md, or a folder of such folders';
      return [problem(index, `no skill found at ${entry}`, hint)];
    }
    return found.flatMap(({ name }) => {
      if (!seen.has(name)) {
        seen.add(name);
        return [];
      }
      return [problem(index, `this entry contains a second skill named ${name}`, 'rename one of the two')];
    });
  });
}

function companionFindings(
  { companion, type }: Checked,
  { env = {}, config }: Parameters<typeof checkAgent>[1],
  { directory, operatorEnvironment }: Place,
): readonly TargetFinding[] {
  if (companion === undefined) return [];
  const { program, tools, install } = companion;
  const path = env['PATH'] ?? operatorEnvironment['PATH'];
  if (isOnPath(program, { cwd: directory, env: path === undefined ? {} : { PATH: path } })) return [];
  const needsIt = (config.skills ?? []).length > 0;
  return [
    {
      path: needsIt ? ['skills'] : [],
      weight: needsIt ? 'error' : 'warning',
      code: 'companion-missing',
      message: `${tools} of ${type} fail silently without ${program}, which is not on PATH`,
      hint: install,
    },
  ];
}

function credentialFindings(
  { credentials }: Checked,
  { passEnv = [], env = {}, config }: Parameters<typeof checkAgent>[1],
  { operatorEnvironment }: Place,
): readonly TargetFinding[] {
  const isGiven = (name: string): boolean => passEnv.includes(name) || name in env;
  if (config.inheritConfig === true || credentials.some(isGiven)) return [];
  const set = credentials.filter((name) => (operatorEnvironment[name] ?? '') !== '');
  if (set.length === 0) return [];
  return [
    {
      path: [],
      weight: 'warning',
      code: 'credentials-not-passed',
      message: `${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'} set, but not passed to the agent`,
      hint: `add  passEnv: [${[...passEnv, ...set].join(', ')}]`,
    },
  ];
}
