import type { SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import { askEngine, enginesOf, type Engine } from './engine.ts';
import { builtImage, fetchedImage, type Choosing } from './make-image.ts';
import { remoteFault } from './remote-engine.ts';
import { NO_ENGINE, type Unavailable } from './unavailable.ts';

export interface ChosenImage {
  readonly engine: Engine;
  readonly image: string;
  /** The id of the image: it covers its content. */
  readonly id: string;
  /** The variable PATH of the image. */
  readonly path: string;
}

/**
 * The first engine that has the image of the settings, or why no engine has it. Asked once for each image. Rejects when
 * the signal aborts.
 */
export async function chosenImage(
  settings: SandboxSettings,
  place: SandboxPlace,
  signal?: AbortSignal,
): Promise<ChosenImage | Unavailable> {
  const known = chosen.get(keyOf(settings, place));
  // The signal of another caller may end its search.
  const found = await known?.catch(() => undefined);
  signal?.throwIfAborted();
  return found ?? (await imageNow(settings, place, signal));
}

/** The same, asked again: since the last time, the name may have got another image. Rejects when the signal aborts. */
export async function imageNow(
  settings: SandboxSettings,
  place: SandboxPlace,
  signal?: AbortSignal,
): Promise<ChosenImage | Unavailable> {
  const key = keyOf(settings, place);
  const asked = chooseImage(settings, place, signal);
  chosen.set(key, asked);
  // What is missing may be there the next time.
  const forget = () => chosen.get(key) === asked && chosen.delete(key);
  asked.then((found) => 'why' in found && forget(), forget);
  return await asked;
}

const chosen = new Map<string, Promise<ChosenImage | Unavailable>>();

function keyOf(
  { image, pull, build, engine, engineArgs }: SandboxSettings,
  { directory, operatorEnvironment }: SandboxPlace,
): string {
  const from = build === undefined ? [image, pull] : [build, directory];
  return JSON.stringify([from, engine, engineArgs, operatorEnvironment['PATH']]);
}

async function chooseImage(
  settings: SandboxSettings,
  place: SandboxPlace,
  signal?: AbortSignal,
): Promise<ChosenImage | Unavailable> {
  const { image, pull, build, engine: wanted = 'podman or docker' } = settings;
  if (build === undefined && image === undefined)
    return { why: 'no image is named', hint: 'set `sandbox.image`, or `sandbox.build` to a Dockerfile' };
  const engines = await enginesOf(settings, place);
  if (engines.length === 0) return { why: `${wanted} is not installed`, hint: NO_ENGINE };
  let fault: EngineFault | undefined;
  for (const engine of engines) {
    const own = await imageOf(engine, { build, image, pull }, { place, signal });
    if ('id' in own) return own;
    // An engine that works needs only the image.
    if (fault === undefined || own.needs === 'image') fault = own;
  }
  return fault ?? { why: 'no engine works', hint: NO_ENGINE };
}

type EngineFault = Unavailable & { readonly needs: 'engine' | 'image' };

type Named = Pick<SandboxSettings, 'build' | 'image' | 'pull'>;

async function imageOf(
  engine: Engine,
  { build, image = '', pull = false }: Named,
  { place, signal }: Choosing,
): Promise<ChosenImage | EngineFault> {
  const remote = await remoteFault(engine, signal);
  if (remote !== undefined) return { needs: 'engine', ...remote };
  const source = build === undefined ? { name: image } : await builtImage(engine, build, { place, signal });
  if ('why' in source) return ofImage(source);
  const found = await presentImage(engine, source.name, signal);
  if ('id' in found || !pull || found.needs === 'engine') return found;
  const failure = await fetchedImage(engine, source.name, signal);
  return failure === undefined ? await presentImage(engine, source.name, signal) : ofImage(failure);
}

/** The image if an engine has it. */
async function presentImage(
  engine: Engine,
  image: string,
  signal: AbortSignal | undefined,
): Promise<ChosenImage | EngineFault> {
  const found = await askEngine(engine, ['image', 'inspect', '--format', IMAGE, image], { signal });
  if (found.isDone) {
    const [id = '', ...env] = found.said.split('\n');
    return { engine, image, id, path: pathIn(env) };
  }
  return faultOfEngine(engine, image, found.problem);
}

function ofImage(fault: Unavailable): EngineFault {
  return { ...fault, needs: 'image' };
}

const IMAGE = '{{.Id}}{{range .Config.Env}}\n{{.}}{{end}}';

function pathIn(env: readonly string[]): string {
  const line = env.find((each) => each.startsWith('PATH='));
  return line?.slice('PATH='.length) ?? DEFAULT_PATH;
}

/** As engines set it if an image does not. */
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** An engine that does not answer, or one without the image. */
function faultOfEngine(engine: Engine, image: string, problem: string): EngineFault {
  if (!/no such image|no such object|image not known/i.test(problem))
    return { needs: 'engine', why: `${engine.kind} does not work: ${problem}`, hint: START[engine.kind] };
  return {
    needs: 'image',
    why: `${engine.kind} has no image ${image}`,
    hint: `build it, or fetch it: \`${engine.kind} pull ${image}\`, or set \`sandbox.pull: true\``,
  };
}

const START = {
  podman: 'run `podman info` to see what is missing',
  docker: 'start the service of docker, and allow your account to use it (group `docker`)',
} as const;
