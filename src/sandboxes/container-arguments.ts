import type { ProgramStart } from '../core/sandbox.ts';
import { openFilesLimit, processesLimit } from '../lib/process/open-files-limit.ts';
import { OWN_TOKEN } from '../lib/process/own-token.ts';
import type { Engine } from './engine.ts';
import { processLabel } from './left-containers.ts';
import { isCovered, type Place } from './places.ts';

/** The label with the token of the process that made a container. */
const OWNER_LABEL = 'assay.owner';

/** A container to make. */
export interface Container {
  readonly name: string;
  /** The id of its image. */
  readonly image: string;
  /** The variable PATH of its image. */
  readonly imagePath: string;
  readonly start: ProgramStart;
  readonly bound: readonly Place[];
  readonly network: 'none' | 'host';
  /** Whether it gets programs of this machine. */
  readonly mountsAgent: boolean;
  /** The arguments for its limits. */
  readonly limits: readonly string[];
  /** The size of each folder for temporary files in MB; absent: half of the memory of this machine. */
  readonly diskMb: number | undefined;
  /** The file for all output of its program, which only podman writes; absent: none. */
  readonly outputLog?: string;
}

/** The arguments that make a container, and the variables that the engine passes on to it. */
export function createArguments(
  engine: Engine,
  { name, image, imagePath, start, bound, network, mountsAgent, limits, diskMb, outputLog }: Container,
): { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  const paths = bound.map(({ at }) => at);
  const { PATH, HOME, TMPDIR, ...others } = start.env;
  const own = {
    ...(mountsAgent && PATH !== undefined ? { PATH: `${PATH}:${imagePath}` } : {}),
    // The image has a home of its own.
    ...(HOME !== undefined && isCovered(HOME, paths) ? { HOME } : {}),
    ...(TMPDIR === undefined ? {} : { TMPDIR: isCovered(TMPDIR, paths) ? TMPDIR : '/tmp' }),
  };
  const passed = Object.entries(others).filter(([key]) => !isOfEngine(key));
  const written = [...Object.entries(others).filter(([key]) => isOfEngine(key)), ...Object.entries(own)];
  const command = 'shell' in start.command ? ['/bin/sh', '-c', start.command.shell] : start.command;
  return {
    env: Object.fromEntries(passed),
    args: [
      'create',
      '--interactive',
      ...words(`--pull never --name ${name} --label ${OWNER_LABEL}=${OWN_TOKEN} --network ${network}`),
      '--label',
      processLabel(),
      ...words('--cap-drop ALL --security-opt no-new-privileges --read-only'),
      ...(engine.kind === 'podman' && outputLog !== undefined
        ? ['--log-driver', 'k8s-file', '--log-opt', `path=${outputLog}`]
        : ['--log-driver', 'none']),
      ...EMPTY_FOLDERS.filter((path) => !paths.includes(path)).flatMap((path) => [
        '--tmpfs',
        `${path}:rw,exec,mode=1777${diskMb === undefined ? '' : `,size=${diskMb}m`}`,
      ]),
      ...userArguments(engine),
      ...(engine.kind === 'podman' ? [...words(ONLY_PODMAN), ...possibleLimits()] : []),
      ...limits,
      ...bound.flatMap(mountArgument),
      // Values of variables are not seen in the list of processes.
      ...passed.flatMap(([key]) => ['--env', key]),
      ...written.flatMap(([key, value]) => ['--env', `${key}=${value}`]),
      '--workdir',
      start.cwd,
      '--entrypoint',
      '',
      image,
      ...command,
    ],
  };
}

const EMPTY_FOLDERS = ['/tmp', '/var/tmp', '/run'];

const ONLY_PODMAN = '--http-proxy=false --read-only-tmpfs=false --image-volume ignore';

/** The user outside and inside is the same. */
function userArguments({ kind }: Engine): readonly string[] {
  const uid = process.getuid?.() ?? 0;
  const gid = process.getgid?.() ?? 0;
  return ['--user', `${uid}:${gid}`, ...(kind === 'podman' && uid !== 0 ? ['--userns', 'keep-id'] : [])];
}

/** podman as root would ask for higher limits than this process may set. */
export function possibleLimits(): readonly string[] {
  if (process.getuid?.() !== 0) return [];
  const limits = { nofile: Math.min(openFilesLimit(), 1_048_576), nproc: Math.min(processesLimit(), 32_768) };
  return Object.entries(limits).flatMap(([name, limit]) => ['--ulimit', `${name}=${limit}:${limit}`]);
}

/** The fields are separated by commas, as in a CSV file. */
function mountArgument({ from, at, canWrite }: Place): readonly string[] {
  const fields = ['type=bind', `source=${from}`, `destination=${at}`, ...(canWrite ? [] : ['readonly=true'])];
  return ['--mount', fields.map(quoted).join(',')];
}

function quoted(field: string): string {
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/** Variables that would change the engine itself. */
function isOfEngine(name: string): boolean {
  return /^(?:PATH|HOME|USER|LOGNAME|TMPDIR|LANG|LC_.*|XDG_.*|DOCKER_.*|BUILDAH_.*|CONTAINERS?_.*|PODMAN_.*|REGISTRY_.*|DBUS_.*|GO[A-Z]*|SSL_CERT_.*|LD_.*|(?:https?|all|no)_proxy)$/i.test(
    name,
  );
}

function words(text: string): readonly string[] {
  return text.split(' ');
}
