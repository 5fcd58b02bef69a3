import type { Worker } from 'node:worker_threads';

import { startOwnWorker } from '../../lib/modules/own-worker.ts';
import type { Redactor } from '../../lib/redact/redact.ts';
import { CLEAN_LIMITS } from './clean-limits.ts';
import type { CleanedTree, CleanPurpose } from './clean-tree.ts';

/** Removes secrets from agents' files on a separate thread, one request at a time. */
export interface FileCleaner {
  cleanTree(directory: string, purpose: CleanPurpose, own?: ReadonlySet<string>): Promise<CleanedTree>;
  /** See `keepState`. */
  keepState(source: string, target: string): Promise<readonly string[]>;
}

/** A request to the thread. */
export type CleanerRequest =
  | {
      readonly job: 'clean-tree';
      readonly directory: string;
      readonly purpose: CleanPurpose;
      readonly own: ReadonlySet<string>;
    }
  | { readonly job: 'keep-state'; readonly source: string; readonly target: string };

/** Its answer. `code` is the error code of the system. */
export type CleanerAnswer =
  | { readonly result: CleanedTree | readonly string[] }
  | { readonly error: { readonly message: string; readonly code?: string } };

const cleaners = new WeakMap<Redactor, FileCleaner>();

/** The shared cleaner of a redactor. The thread starts on demand and ends when idle. */
export function fileCleaner(redactor: Redactor): FileCleaner {
  const known = cleaners.get(redactor);
  if (known !== undefined) return known;
  const ask = thread(redactor);
  const made: FileCleaner = {
    cleanTree: async (directory, purpose, own = new Set()) =>
      (await ask({ job: 'clean-tree', directory, purpose, own })) as CleanedTree,
    keepState: async (source, target) =>
      (await ask({ job: 'keep-state', source, target })) as readonly string[],
  };
  cleaners.set(redactor, made);
  return made;
}

type Ask = (request: CleanerRequest) => Promise<CleanedTree | readonly string[]>;

function thread({ secrets }: Redactor): Ask {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    void worker?.terminate();
    worker = undefined;
  };
  const asked: Ask = async (request) => {
    clearTimeout(idle);
    worker ??= startOwnWorker('storage/cleaning/file-cleaner-host', {
      ...secrets,
      environment: { ...secrets.environment },
      names: [...(secrets.names ?? [])],
    });
    try {
      const answer = await answerOf(worker, request);
      idle = setTimeout(end, IDLE_MS).unref();
      if ('result' in answer) return answer.result;
      throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
    } catch (error) {
      end();
      throw error;
    }
  };
  return (request) => {
    const answered = last.then(() => asked(request));
    last = answered.catch(() => {});
    return answered;
  };
}

function answerOf(worker: Worker, request: CleanerRequest): Promise<CleanerAnswer> {
  worker.ref();
  return new Promise<CleanerAnswer>((resolve, reject) => {
    const late = () =>
      fail(new Error(`the search for secrets took longer than ${LONGEST_MS / 1000} seconds`));
    const timer = setTimeout(late, LONGEST_MS);
    const settle = (): void => {
      clearTimeout(timer);
      worker.off('message', take).off('error', fail).off('exit', ended);
      worker.unref();
    };
    const take = (answer: CleanerAnswer): void => {
      settle();
      resolve(answer);
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const ended = () => fail(new Error('the thread that searches for secrets has ended'));
    worker.on('message', take).on('error', fail).on('exit', ended);
    worker.postMessage(request);
  });
}

const IDLE_MS = 5_000;

/** The thread normally ends before this limit, unless a single file blocks it. */
const LONGEST_MS = CLEAN_LIMITS.timeMs + 15_000;
