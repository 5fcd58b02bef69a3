import type { SandboxPlace, SandboxSettings } from '../core/sandbox.ts';
import { askEngine, enginesOf, type Engine } from './engine.ts';
import { NO_ENGINE, type Unavailable } from './unavailable.ts';

/** An engine, and the image that it has. */
export interface ChosenImage {
  readonly engine: Engine;
  readonly image: string;
  /** The id of the image: it covers its content. */
  readonly id: string;
  /** The variable PATH of the image. */
  readonly path: string;
}

/** The first engine that has the image of the settings, asked once for each image; or why there is none. */
export async function chosenImage(
  settings: SandboxSettings,
  place: SandboxPlace,
): Promise<ChosenImage | Unavailable> {
  return await (chosen.get(keyOf(settings, place)) ?? imageNow(settings, place));
}

/** The same, asked again: since the last time, the name may have got another image. */
export async function imageNow(
  settings: SandboxSettings,
  place: SandboxPlace,
): Promise<ChosenImage | Unavailable> {
  const key = keyOf(settings, place);
  const asked = chooseImage(settings, place);
  chosen.set(key, asked);
  // What is missing may be there the next time.
  const forget = () => chosen.get(key) === asked && chosen.delete(key);
  asked.then((found) => 'why' in found && forget(), forget);
  return await asked;
}

const chosen = new Map<string, Promise<ChosenImage | Unavailable>>();

function keyOf(
  { image, engine, engineArgs }: SandboxSettings,
  { operatorEnvironment }: SandboxPlace,
): string {
  return JSON.stringify([image, engine, engineArgs, operatorEnvironment['PATH']]);
}

async function chooseImage(
  settings: SandboxSettings,
  place: SandboxPlace,
): Promise<ChosenImage | Unavailable> {
  const { image, engine: wanted = 'podman or docker' } = settings;
  if (image === undefined) return { why: 'no image is named', hint: 'set `sandbox.image`' };
  const engines = await enginesOf(settings, place);
  if (engines.length === 0) return { why: `${wanted} is not installed`, hint: NO_ENGINE };
  let fault: Awaited<ReturnType<typeof faultOfEngine>> | undefined;
  for (const engine of engines) {
    const found = await askEngine(engine, ['image', 'inspect', '--format', IMAGE, image]);
    if (found.isDone) {
      const [id = '', ...env] = found.said.split('\n');
      return { engine, image, id, path: pathIn(env) };
    }
    const own = await faultOfEngine(engine, image, found.problem);
    // An engine that works needs only the image.
    if (fault === undefined || own.needs === 'image') fault = own;
  }
  return fault ?? { why: 'no engine works', hint: NO_ENGINE };
}

const IMAGE = '{{.Id}}{{range .Config.Env}}\n{{.}}{{end}}';

function pathIn(env: readonly string[]): string {
  const line = env.find((each) => each.startsWith('PATH='));
  return line?.slice('PATH='.length) ?? DEFAULT_PATH;
}

/** As engines set it if an image does not. */
const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** An engine that does not answer, or one without the image. */
async function faultOfEngine(
  engine: Engine,
  image: string,
  problem: string,
): Promise<Unavailable & { readonly needs: 'engine' | 'image' }> {
  if (!/no such image|no such object|image not known/i.test(problem))
    return { needs: 'engine', why: `${engine.kind} does not work: ${problem}`, hint: START[engine.kind] };
  return {
    needs: 'image',
    why: `${engine.kind} has no image ${image}`,
    hint: `build it, or fetch it: \`${engine.kind} pull ${image}\``,
  };
}

const START = {
  podman: 'run `podman info` to see what is missing',
  docker: 'start the service of docker, and allow your account to use it (group `docker`)',
} as const;
