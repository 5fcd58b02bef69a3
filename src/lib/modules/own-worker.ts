import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type { Worker, WorkerOptions } from 'node:worker_threads';

import { ownFile } from './own-file.ts';

/** Starts a file of assay, named as for `ownFile`, on a thread that does not keep the process alive. */
export function startOwnWorker(name: string, workerData: unknown, options: WorkerOptions = {}): Worker {
  const file = ownFile(name);
  if (file === undefined) throw new Error(`${name} is missing from this installation: install assay again`);
  // Not imported, because most runs need no thread.
  const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
  const worker =
    extname(file) === '.ts'
      ? new Thread(loaderOf(file), { ...options, eval: true, workerData })
      : new Thread(file, { ...options, workerData });
  worker.unref();
  return worker;
}

function loaderOf(file: string): string {
  const jiti = createRequire(import.meta.url).resolve('jiti');
  return `require(${JSON.stringify(jiti)}).createJiti(${JSON.stringify(file)}).import(${JSON.stringify(file)})`;
}
