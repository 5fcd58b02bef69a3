import { NSENTER } from './bubblewrap.ts';
import { askEngine, type Engine } from './engine.ts';
import { startForwarder } from './forwarder.ts';
import type { Forwarders } from './forwarders.ts';

/** The forwarder of one container. It runs outside, in the network of the container, so the image needs no program. */
export function containerForwarders(engine: Engine, name: string): Forwarders {
  return {
    async take() {
      // The container has a network from here on, but its program does not run yet.
      const begun = await askEngine(engine, ['init', name]);
      if (!begun.isDone) throw new Error(begun.problem);
      const {
        said: pid,
        isDone,
        problem,
      } = await askEngine(engine, ['inspect', '--format', '{{.State.Pid}}', name]);
      if (!isDone) throw new Error(problem);
      // Containers of other accounts than root have user namespaces of their own.
      const users = process.getuid?.() === 0 ? [] : ['--user', '--preserve-credentials'];
      return await startForwarder(engine.env, [NSENTER, '--target', pid, '--net', ...users]);
    },
    giveBack: (forwarder) => forwarder.end(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
