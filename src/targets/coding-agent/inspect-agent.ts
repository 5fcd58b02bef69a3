import type { InspectionPlace, Installation } from '../../core/plugin.ts';
import { given } from '../../lib/given.ts';
import { allowListed } from '../../lib/process/environment.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import type { ProcessResult } from '../../lib/process/run-process.ts';
import { textEnd } from '../text-end.ts';
import type { AgentAdapter } from './adapter.ts';
import type { AgentConfig } from './agent-config.ts';
import { isOnPath } from '../../lib/process/is-on-path.ts';
import { agentEnvironment } from './environment.ts';
import { privateHome } from './private-home.ts';
import { askedForVersion, isOfOtherMajor, lookUp, VERSION_TIMEOUT_MS, versionIn } from './program.ts';

type Inspected = Pick<
  AgentAdapter,
  'programs' | 'install' | 'triedVersions' | 'credentials' | 'companion' | 'isolation' | 'homeFiles' | 'type'
>;

type Place = InspectionPlace<AgentConfig>;

/** The state of an agent on this machine: program and version, missing programs, set credentials. */
export async function inspectAgent(
  adapter: Inspected,
  place: Place,
  signal: AbortSignal,
): Promise<Installation> {
  const { triedVersions } = adapter;
  // Other missing things are reported by the target's own check.
  const isTarget = place.target !== undefined;
  const found = await lookUpAt(place, adapter);
  const about = {
    program: found.name,
    triedVersions,
    notes: isTarget ? [] : credentialNotes(adapter, place),
  };
  if (found.name === '') return { ...about, problems: ['no command configured: set `command`'] };
  if (found.command === undefined)
    return { ...about, problems: [`${found.why}; ${adviceOf(adapter, place)}`] };
  const asked = await askVersion(adapter, { name: found.name, command: found.command, place }, signal);
  const [path] = found.command;
  return {
    ...about,
    ...given({ path }),
    ...('version' in asked ? { version: asked.version } : {}),
    problems: [
      ...('problem' in asked ? [asked.problem] : []),
      ...(isTarget ? [] : companionProblems(adapter, place)),
    ],
    notes: [...('version' in asked ? versionNotes(asked.version, triedVersions) : []), ...about.notes],
  };
}

/** Why an agent cannot be started on this machine. */
export async function lackOf(
  adapter: Pick<Inspected, 'programs' | 'install'>,
  place: Place,
): Promise<string | undefined> {
  const { name, why } = await lookUpAt(place, adapter);
  return why === undefined ? undefined : `${name}: ${why}`;
}

function lookUpAt(place: Place, adapter: Pick<Inspected, 'programs' | 'install'>): ReturnType<typeof lookUp> {
  const { target, directory } = place;
  return lookUp({ adapter, config: target?.config ?? {}, directory, env: environmentOf(place) });
}

function adviceOf({ install }: Inspected, { target }: Place): string {
  return target === undefined ? install : `${install}, or set targets.${target.name}.command`;
}

function environmentOf({ target, operatorEnvironment }: Place): Readonly<Record<string, string>> {
  return target?.environment ?? allowListed(operatorEnvironment);
}

interface Asked {
  readonly name: string;
  readonly command: readonly string[];
  readonly place: Place;
}

/** Uses a private home, as in a trial, because asking for the version must not create settings. */
async function askVersion(
  adapter: Inspected,
  { name, command, place }: Asked,
  signal: AbortSignal,
): Promise<{ readonly version: string } | { readonly problem: string }> {
  const { config = {}, env: supplied }: Partial<NonNullable<Place['target']>> = place.target ?? {};
  await using home = await privateHome({ adapter, files: config.files });
  const env = agentEnvironment({
    adapter,
    services: {
      environment: environmentOf(place),
      operatorEnvironment: place.operatorEnvironment,
      ...given({ env: supplied }),
    },
    folders: home.folders,
    inheritConfig: config.inheritConfig ?? false,
    launched: {},
  });
  const result = await askedForVersion(command, { cwd: home.folders.temporary, env }, signal);
  const version = versionIn(result);
  if (result.outcome === 'exited' && version !== undefined) return { version };
  return { problem: `${[name, ...command.slice(1)].join(' ')} --version ${whyNoVersion(result)}` };
}

function whyNoVersion(result: ProcessResult): string {
  if (result.outcome === 'spawn-failed') return `could not be started: ${result.failure.message}`;
  if (result.outcome === 'timeout') return `timed out after ${VERSION_TIMEOUT_MS / 1000} s`;
  const said = textEnd(decodeUtf8(result.stderr)).trim().split('\n').at(-1) ?? '';
  const how =
    result.exitCode === 0 ? 'printed no version' : `failed with ${result.exitCode ?? result.signal}`;
  return said === '' ? how : `${how}: ${said}`;
}

function companionProblems(
  { companion }: Inspected,
  { directory, operatorEnvironment: env }: Place,
): readonly string[] {
  if (companion === undefined || isOnPath(companion.program, { cwd: directory, env })) return [];
  const { program, tools, install } = companion;
  return [`${program} is not on PATH; without it ${tools} fail silently; ${install}`];
}

function versionNotes(version: string, tried: readonly string[]): readonly string[] {
  if (tried.length === 0 || tried.includes(version)) return [];
  const recorded = `version ${version} was not tested; tested versions: ${tried.join(', ')}`;
  if (!isOfOtherMajor(version, tried)) return [recorded];
  return [`${recorded}; another major version may print unknown events`];
}

/** A key that is set reaches the agent only if its target passes it on. */
function credentialNotes({ credentials }: Inspected, { operatorEnvironment }: Place): readonly string[] {
  if (credentials.length === 0) return [];
  const set = credentials.filter((name) => (operatorEnvironment[name] ?? '') !== '');
  if (set.length > 0) return [`${set.join(', ')} set: pass it on with passEnv: [${set.join(', ')}]`];
  return [`none of ${credentials.join(', ')} is set`];
}
