import type { ProgramStart } from '../core/sandbox.ts';
import type { NetworkGate } from './network-gate.ts';

/** Where the sockets of a gate are inside a sandbox. */
export const GATE_FOLDER = '/run/gate';

/**
 * A command that first starts a forwarder, which offers the sockets of a gate on loopback ports. The forwarder runs
 * beside the program and ends with the sandbox.
 */
export function forwarded(command: readonly string[], { sockets }: NetworkGate): readonly string[] {
  const places = Object.entries(sockets).map(([port, name]) => [Number(port), `${GATE_FOLDER}/${name}`]);
  return ['/bin/sh', '-c', START, process.execPath, FORWARDER, JSON.stringify(places), ...command];
}

/** The environment of a program behind a gate. */
export function environmentBehind(env: ProgramStart['env'], { proxyPort }: NetworkGate): ProgramStart['env'] {
  const proxy = `http://127.0.0.1:${proxyPort}`;
  const own = Object.entries(env).filter(([name]) => !PROXY.test(name));
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
  return {
    ...Object.fromEntries(own),
    ...Object.fromEntries(names.map((name) => [name, proxy])),
    NO_PROXY: DIRECT,
    no_proxy: DIRECT,
    // Newer versions of Node then use the proxy for `fetch`.
    NODE_USE_ENV_PROXY: '1',
  };
}

const PROXY = /^(?:https?|all|no)_proxy$/i;
const DIRECT = 'localhost,127.0.0.1,::1';

/** The substitution waits until the forwarder closes its output, which it does when its ports are open. */
const START = ': "$(NODE_OPTIONS= "$0" -e "$1" "$2" </dev/null 2>/dev/null &)"; shift 2; exec "$@"';

/** For Node, as text: so no file of assay is needed inside. */
const FORWARDER = `
const { createServer, connect } = require('node:net');
const places = JSON.parse(process.argv[1]).flatMap(([port, path]) =>
  ['127.0.0.1', '::1'].map((host) => ({ port, path, host })));
const { closeSync, openSync } = require('node:fs');
let waiting = places.length;
const settled = () => {
  if (--waiting > 0) return;
  closeSync(1);
  // Node cannot close a connection whose number is that of a standard stream.
  openSync('/dev/null', 'w');
};
for (const { port, path, host } of places) {
  const server = createServer({ allowHalfOpen: true }, (inside) => {
    const outside = connect({ path, allowHalfOpen: true });
    inside.pipe(outside);
    outside.pipe(inside);
    inside.on('error', () => outside.destroy());
    outside.on('error', () => inside.destroy());
    inside.on('close', () => outside.destroySoon());
    outside.on('close', () => inside.destroySoon());
  });
  server.once('listening', settled);
  server.once('error', settled);
  server.listen({ port, host });
}
`;
