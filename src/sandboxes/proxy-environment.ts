import type { ProgramStart } from '../core/sandbox.ts';

/** The environment of a program that reaches other hosts only through a proxy. */
export function proxyEnvironment(env: ProgramStart['env'], proxyPort: number): ProgramStart['env'] {
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
