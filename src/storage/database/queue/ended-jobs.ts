import type { Jobs } from './jobs.ts';

/** Jobs whose trial needs no worker any more. Disposed, it tells the queue of all of them. */
export interface EndedJobs extends AsyncDisposable {
  add(run: string, job: string): void;
}

/** The queue is told of them together. */
const TOLD_EVERY_MS = 500;

/**
 * Tells the queue of ended jobs, several at a time. If that fails, or this process is killed before, another worker gets
 * the jobs, finds that their trials do not wait, and ends them.
 */
export function endedJobs({ complete }: Pick<Jobs, 'complete'>): EndedJobs {
  const waiting = new Map<string, string[]>();
  let timer: NodeJS.Timeout | undefined;
  const tell = async (): Promise<void> => {
    timer = undefined;
    const all = [...waiting];
    waiting.clear();
    for (const [run, jobs] of all) await complete(run, jobs).catch(() => undefined);
  };
  return {
    add(run, job) {
      const ofRun = waiting.get(run) ?? [];
      waiting.set(run, ofRun);
      ofRun.push(job);
      timer ??= setTimeout(() => void tell(), TOLD_EVERY_MS).unref();
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      await tell();
    },
  };
}
