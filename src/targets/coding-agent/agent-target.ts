import { MeasurementError } from '../../core/errors.ts';
import type { Message } from '../../core/message.ts';
import type { StagedFolder, TargetPlugin, TargetServices } from '../../core/plugin.ts';
import type { Target, World } from '../../core/target.ts';
import { promptText } from '../prompt-text.ts';
import type { AgentAdapter } from './adapter.ts';
import type { AgentConfig } from './agent-config.ts';
import { checkAgent } from './check-agent.ts';
import { environmentOf } from './agent-session.ts';
import type { NamedAgent } from './outcome.ts';
import { privateHome } from './private-home.ts';
import { promptFault } from './prompt-fault.ts';
import { inspectAgent, lackOf } from './inspect-agent.ts';
import { findAgent, isOfOtherMajor, versionOf, type AgentProgram } from './program.ts';
import { openAgent } from './session.ts';
import { sharedCache } from './shared-cache.ts';
import { skillFolders } from './skill-folders.ts';
import { given } from '../../lib/given.ts';

export function agentTarget<Config extends AgentConfig>(adapter: AgentAdapter<Config>): TargetPlugin<Config> {
  return {
    type: adapter.type,
    version: 1,
    summary: adapter.summary,
    config: adapter.config,
    needsWorkspace: true,
    programsLive: () => 'attempt',
    openFiles: 8,
    maxParallel: 1,
    ...given({ multiTurn: adapter.multiTurn, runnerConfig: adapter.runnerConfig }),
    takesImages: ({ images }) => images ?? false,
    tellsToolCalls: () => true,
    reachesTools: (config) => (reachesTools(adapter, config) ? 'mcp' : undefined),
    check: (settings, place) =>
      checkAgent({ ...adapter, skillsDirectories: skillPlaces(adapter, settings.config) }, settings, place),
    programs: ({ command }) => (command === undefined ? [] : [{ path: ['command'], program: command }]),
    stages: (config, directory) => stagedSkills(adapter, config, directory),
    isHermetic: ({ inheritConfig }) => inheritConfig !== true,
    ...(adapter.multiTurn === false
      ? {}
      : { resumesFrom: ({ inheritConfig }) => (inheritConfig === true ? 'operator' : 'state') }),
    inputFault: (_config, input) => inputFault(adapter, input),
    lacks: (place) => lackOf(adapter, place),
    inspect: (place, signal) => inspectAgent(adapter, place, signal),
    create: (config, services) => createTarget(adapter, config, services),
  };
}

type Skilled = Pick<AgentAdapter, 'skillsDirectories' | 'skillsDirectory'>;

function skillPlaces(adapter: Skilled, config: AgentConfig): readonly string[] {
  const written = adapter.skillsDirectory?.(config);
  return written === undefined ? adapter.skillsDirectories : [written, ...adapter.skillsDirectories];
}

function reachesTools(
  { reachesTools: where }: Pick<AgentAdapter, 'reachesTools'>,
  { inheritConfig }: AgentConfig,
): boolean {
  return where === 'anywhere' || (where === 'private-home' && inheritConfig !== true);
}

/** Skills are copied under their names to the first directory in which the agent searches. */
function stagedSkills(adapter: Skilled, config: AgentConfig, directory: string): readonly StagedFolder[] {
  const { skills = [] } = config;
  const [place] = skillPlaces(adapter, config);
  if (place === undefined) return [];
  return skills
    .flatMap((entry) => skillFolders(entry, directory))
    .map(({ name, path }) => ({ source: path, to: `${place}/${name}` }));
}

/** Paths of files are not known yet, and are never wrong. */
function inputFault(
  adapter: Pick<AgentAdapter, 'promptFault'>,
  input: readonly Message[],
): string | undefined {
  const prompt = promptText(input.slice(0, -1), input.at(-1)?.parts);
  return promptFault(prompt) ?? adapter.promptFault?.(prompt);
}

interface Ready {
  readonly program: AgentProgram;
  readonly agent: NamedAgent;
}

function createTarget(adapter: AgentAdapter, config: AgentConfig, services: TargetServices): Target {
  let ready: Ready | undefined;
  const cache = sharedCache();
  const home = async (state?: string) =>
    privateHome({
      adapter,
      files: config.files,
      cache: adapter.sharesCache === true ? await cache.folder() : undefined,
      state,
    });

  const prepare = async (signal: AbortSignal): Promise<void> => {
    const request = { adapter, config, target: services.name, directory: services.directory };
    const program = await findAgent({ ...request, env: services.environment });
    await using own = await home();
    const env = environmentOf({ adapter, services, home: own, config }, {});
    const version = await versionOf(program, { directory: own.folders.home, env }, signal);
    ready = { program, agent: named(adapter, services, { program, version }) };
  };

  return {
    prepare,
    async open(world, signal) {
      refuseOwnDirectory(config, world);
      if (ready === undefined) await prepare(signal);
      if (ready === undefined) throw new Error('the agent was used before its program was found');
      return openAgent({
        ...ready,
        adapter,
        config,
        services,
        world,
        home: await home(world.resumes?.state),
      });
    },
    [Symbol.asyncDispose]: () => cache[Symbol.asyncDispose](),
    notes: () => (ready === undefined ? [] : versionNotes(ready.agent)),
    versions: () => (ready?.agent.version === undefined ? {} : { [ready.program.name]: ready.agent.version }),
  };
}

/** Nothing is put into a directory of the user's own. */
function refuseOwnDirectory({ skills = [] }: AgentConfig, { workspace, trial }: World): void {
  if (skills.length === 0 || (workspace !== undefined && workspace.isForeign !== true)) return;
  throw new MeasurementError(`targets.${trial.target}.skills needs an isolated workspace`, {
    stage: 'workspace',
    kind: 'workspace-setup',
    detail: 'skills-in-own-directory',
    hint: 'use an isolated workspace, or remove `skills` from the target',
  });
}

function named(
  adapter: Pick<AgentAdapter, 'triedVersions' | 'credentials'>,
  services: TargetServices,
  { program, version }: { readonly program: AgentProgram; readonly version: string | undefined },
): NamedAgent {
  return {
    target: services.name,
    program: program.name,
    version,
    triedVersions: adapter.triedVersions,
    credentialsHint: credentialsHint(adapter.credentials, services),
  };
}

function versionNotes({ program, version, triedVersions }: NamedAgent): readonly string[] {
  if (version === undefined || !isOfOtherMajor(version, triedVersions)) return [];
  return [`${program} has version ${version}; assay was tested with ${triedVersions.join(', ')}`];
}

/** The likely reason is a known credential that is set and not passed on. */
function credentialsHint(credentials: readonly string[], services: TargetServices): string {
  const kept = credentials.filter(
    (name) => services.operatorEnvironment[name] !== undefined && services.environment[name] === undefined,
  );
  if (kept.length > 0) return `add to targets.${services.name}: passEnv: [${kept.join(', ')}]`;
  const which =
    credentials.length === 0 ? 'the variable of its provider' : `one of ${credentials.join(', ')}`;
  return `pass credentials to the agent: targets.${services.name}.passEnv with ${which}`;
}
