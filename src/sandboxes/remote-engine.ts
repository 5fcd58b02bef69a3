import { isLoopback, placeOfUrl } from '../lib/http/host-and-port.ts';
import { askEngine, type Engine } from './engine.ts';
import type { Unavailable } from './unavailable.ts';

/** Why an engine cannot be used if it makes containers on another machine; undefined: it makes them here. */
export async function remoteFault(
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<Unavailable | undefined> {
  const address = await addressOf(engine, signal);
  if (address === undefined || isOfHere(address)) return undefined;
  const { kind } = engine;
  return {
    why: `${kind} makes its containers on another machine (${address}), which does not have the files of the agent`,
    hint: HINTS[kind],
  };
}

const HINTS = {
  podman: 'use podman of this machine: unset CONTAINER_HOST and CONTAINER_CONNECTION',
  docker: 'use docker of this machine: unset DOCKER_HOST, or run `docker context use default`',
} as const;

/** The address of the service of an engine; undefined: it has none, or the engine does not say. */
async function addressOf(engine: Engine, signal: AbortSignal | undefined): Promise<string | undefined> {
  if (engine.kind === 'docker') return await addressOfDocker(engine, signal);
  const { CONTAINER_HOST: host, CONTAINER_CONNECTION: connection } = engine.env;
  const address = optionOf(engine, '--url') ?? host;
  const name = optionOf(engine, '--connection') ?? optionOf(engine, '-c') ?? connection;
  if (address !== undefined || name === undefined) return address;
  const format = '{{.Name}} {{.URI}}';
  const { said } = await askEngine(engine, ['system', 'connection', 'list', '--format', format], { signal });
  const line = said.split('\n').find((each) => each.replace(/\*? .*/, '') === name);
  return line?.split(' ').at(-1);
}

/** The context in use, which DOCKER_HOST overrides. */
async function addressOfDocker(engine: Engine, signal: AbortSignal | undefined): Promise<string | undefined> {
  const address = optionOf(engine, '--host') ?? optionOf(engine, '-H') ?? engine.env['DOCKER_HOST'];
  if (address !== undefined) return address;
  const args = ['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}'];
  const { isDone, said } = await askEngine(engine, args, { signal });
  return isDone && said !== '' ? said : undefined;
}

/** The value of `NAME VALUE` or `NAME=VALUE` in the first arguments of an engine. */
function optionOf({ command }: Engine, name: string): string | undefined {
  const at = command.indexOf(name);
  if (at >= 0) return command[at + 1];
  return command.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** A virtual machine for containers forwards a port of the loopback address. */
function isOfHere(address: string): boolean {
  const [, scheme = 'tcp', rest = ''] = /^(?:(\w+):\/\/)?(.*)$/s.exec(address) ?? [];
  if (['unix', 'npipe', 'fd'].includes(scheme)) return true;
  const place = placeOfUrl(`http://${rest}`);
  return place !== undefined && isLoopback(place.host);
}
