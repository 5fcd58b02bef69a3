import { NETWORK_OF_ROOT, OWN_NETWORK, startForwarder, type Forwarder } from './forwarder.ts';

/** Forwarders that are used again: starting one takes longer than starting a namespace. */
export interface Forwarders extends AsyncDisposable {
  take(): Promise<Forwarder>;
  /** Keeps one whose program has ended, for the next program. */
  giveBack(forwarder: Forwarder): Promise<void>;
}

/** `of root`: the networks belong to root of this machine, so containers can join them. */
export function keepForwarders(
  environment: Readonly<Record<string, string>>,
  owner: 'of root' | 'of a namespace' = 'of a namespace',
): Forwarders {
  const idle: Forwarder[] = [];
  let isClosed = false;
  return {
    async take() {
      for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) if (!kept.isOver()) return kept;
      return await startForwarder(environment, owner === 'of root' ? NETWORK_OF_ROOT : OWN_NETWORK);
    },
    async giveBack(forwarder) {
      if (isClosed) await forwarder.end();
      else if (!forwarder.isOver()) idle.push(forwarder);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      await Promise.all(idle.splice(0).map((each) => each.end()));
    },
  };
}
