import { isObject } from '../json.ts';

/** Where Node's own `fetch` keeps its dispatcher; 2 in later versions. */
const SYMBOLS = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];

/**
 * Whether Node's own `fetch` is redirected in this process: by a proxy from the environment (NODE_USE_ENV_PROXY), or by
 * a dispatcher that a config has set. Anything that is not Node's known default counts as redirected.
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

/** Node's default is an `Agent` without options and without a limit of origins. */
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
