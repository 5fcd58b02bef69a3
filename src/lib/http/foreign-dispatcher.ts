import { isObject } from '../json.ts';

/** Where Node's own `fetch` keeps what sends its requests; 2 in later versions. */
const SYMBOLS = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];

/**
 * Whether requests of Node's own `fetch` take a way of their own in this process: a proxy by environment
 * (NODE_USE_ENV_PROXY), or a dispatcher that a config has set. One that is not known for Node's default counts as such.
 */
export function isSentElsewhere(): boolean {
  for (const symbol of SYMBOLS) {
    const dispatcher: unknown = Reflect.get(globalThis, symbol);
    if (dispatcher === undefined || dispatcher === usual) continue;
    if (!isUsual(dispatcher)) return true;
    usual = dispatcher;
  }
  return false;
}

let usual: unknown;

/** Node's default is an `Agent` without a setting; it has no bound on origins. */
function isUsual(dispatcher: unknown): boolean {
  if (!isObject(dispatcher) || dispatcher.constructor.name !== 'Agent') return false;
  const symbol = Object.getOwnPropertySymbols(dispatcher).find(
    ({ description }) => description === 'options',
  );
  const settings: unknown = symbol === undefined ? undefined : Reflect.get(dispatcher, symbol);
  return (
    isObject(settings) && Object.values(settings).every((value) => value === undefined || value === Infinity)
  );
}
