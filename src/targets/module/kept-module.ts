import type { World } from '../../core/target.ts';
import { startKeptProcess, type KeptProcess, type Question } from './kept-process.ts';
import { KEPT_BYTES, type ModuleProcess, type ModuleSpec } from './module-process.ts';

/** One process of a module for all sessions of a target. It is started again after it has ended. */
export interface KeptModule extends AsyncDisposable {
  /** The part of a session in the process. Ending it cancels only its own question. */
  join(world: World): ModuleProcess;
}

export function keepModule(spec: ModuleSpec, target: string): KeptModule {
  let current: KeptProcess | undefined;
  /** Open sessions, with the end of what the process printed while they were open. */
  const printed = new Map<World, Buffer>();
  const onStderr = (chunk: Uint8Array): void => {
    for (const [world, before] of printed) {
      printed.set(world, Buffer.concat([before, chunk]).subarray(-KEPT_BYTES));
      world.pulse();
    }
  };
  return {
    join(world) {
      printed.set(world, Buffer.alloc(0));
      if (current === undefined || current.isOver())
        current = startKeptProcess(spec, { target, marker: world.marker, onStderr });
      const leave = async (): Promise<void> => {
        const log = printed.get(world);
        printed.delete(world);
        if (log !== undefined && log.length > 0) await world.artifacts.write('stderr.log', log);
      };
      return member(current, leave);
    },
    async [Symbol.asyncDispose]() {
      await current?.end(new Error('the run is over'));
    },
  };
}

function member(process: KeptProcess, leave: () => Promise<void>): ModuleProcess {
  let question: Question | undefined;
  return {
    reply: async (line) => {
      if (line === undefined) return await process.ready;
      question = process.ask(line);
      return await question.reply;
    },
    async end(reason) {
      await question?.cancel(reason);
      await process.settled();
      await allRead();
      await leave();
    },
  };
}

/** What a module printed before its answer is in the pipe already; it can be read after the answer, in the next round. */
async function allRead(): Promise<void> {
  for (let rounds = 0; rounds < 2; rounds += 1) await new Promise((resolve) => setImmediate(resolve));
}
