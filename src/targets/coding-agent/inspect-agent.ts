import type { InspectionPlace, Installation } from '../../core/plugin.ts';
import { given } from '../../lib/given.ts';
import { allowListed } from '../../lib/process/environment.ts';
import { decodeUtf8 } from '../../lib/process/decode-utf8.ts';
import { ATTEMPT_MARKER, ownMarker } from '../../lib/process/own-token.ts';
import { runProcess, type ProcessResult } from '../../lib/process/run-process.ts';
import { textEnd } from '../text-end.ts';
import type { AgentAdapter } from './adapter.ts';
import type { AgentConfig } from './agent-config.ts';
import { isOnPath } from '../../lib/process/is-on-path.ts';
import { agentEnvironment } from './environment.ts';
import { privateHome } from './private-home.ts';
import { isOfOtherMajor, lookUp, VERSION_TIMEOUT_MS, versionIn } from './program.ts';

type Inspected = Pick<
  AgentAdapter,
  'programs' | 'install' | 'triedVersions' | 'credentials' | 'companion' | 'isolation' | 'homeFiles' | 'type'
>;

type Place = InspectionPlace<AgentConfig>;

/** What this machine has of an agent: its program and version, what it lacks, which of its credentials are set. */
export async function inspectAgent(
  adapter: Inspected,
  place: Place,
  signal: AbortSignal,
): Promise<Installation> {
  const { triedVersions } = adapter;
  // What a target lacks besides its program, its own check tells.
  const isTarget = place.target !== undefined;
  const found = await lookUp({
    adapter,
    config: place.target?.config ?? {},
    directory: place.directory,
    env: environmentOf(place),
  });
  const about = {
    program: found.name,
    triedVersions,
    notes: isTarget ? [] : credentialNotes(adapter, place),
  };
  if (found.name === '') return { ...about, problems: ['it has no usual name: write `command`'] };
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

/** In a private home, as in a trial: a look must not leave settings behind. */
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
  const result = await runProcess(
    {
      command: [...command, '--version'],
      cwd: home.folders.temporary,
      env,
      timeoutMs: VERSION_TIMEOUT_MS,
      graceMs: 1_000,
      drainMs: 500,
      maxOutputBytes: 2 ** 16,
      marker: { name: ATTEMPT_MARKER, value: ownMarker() },
    },
    signal,
  );
  signal.throwIfAborted();
  const version = versionIn(result);
  if (result.outcome === 'exited' && version !== undefined) return { version };
  return { problem: `${[name, ...command.slice(1)].join(' ')} --version ${whyNoVersion(result)}` };
}

function whyNoVersion(result: ProcessResult): string {
  if (result.outcome === 'spawn-failed') return `could not be started: ${result.failure.message}`;
  if (result.outcome === 'timeout') return `said nothing for ${VERSION_TIMEOUT_MS / 1000} s`;
  const said = textEnd(decodeUtf8(result.stderr)).trim().split('\n').at(-1) ?? '';
  const how = result.exitCode === 0 ? 'tells no version' : `failed with ${result.exitCode ?? result.signal}`;
  return said === '' ? how : `${how}: ${said}`;
}

function companionProblems(
  { companion }: Inspected,
  { directory, operatorEnvironment: env }: Place,
): readonly string[] {
  if (companion === undefined || isOnPath(companion.program, { cwd: directory, env })) return [];
  const { program, tools, install } = companion;
  return [`${program} is not on PATH, and without it ${tools} fail in silence; ${install}`];
}

function versionNotes(version: string, tried: readonly string[]): readonly string[] {
  if (tried.length === 0 || tried.includes(version)) return [];
  const recorded = `no recording of version ${version} is known; known are ${tried.join(', ')}`;
  if (!isOfOtherMajor(version, tried)) return [recorded];
  return [`${recorded}: of another major version, it may print what assay does not know`];
}

/** A key that is set reaches the agent only when its target says so. */
function credentialNotes({ credentials }: Inspected, { operatorEnvironment }: Place): readonly string[] {
  if (credentials.length === 0) return [];
  const set = credentials.filter((name) => (operatorEnvironment[name] ?? '') !== '');
  if (set.length > 0) return [`${set.join(', ')} set: pass it on with passEnv: [${set.join(', ')}]`];
  return [`none of ${credentials.join(', ')} is set`];
}
