// A thread that removes secrets from agents' files. It answers requests of file-cleaner.ts.
import { parentPort, workerData } from 'node:worker_threads';

import { given } from '../../lib/given.ts';
import { createRedactor, type Secrets } from '../../lib/redact/redact.ts';
import { cleanTree } from './clean-tree.ts';
import type { CleanerAnswer, CleanerRequest } from './file-cleaner.ts';
import { keepState } from './keep-state.ts';

const redactor = createRedactor(workerData as Secrets);

parentPort?.on('message', (request: CleanerRequest) => {
  void answerTo(request).then((answer) => parentPort?.postMessage(answer));
});

async function answerTo(request: CleanerRequest): Promise<CleanerAnswer> {
  try {
    return { result: await done(request) };
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    return { error: { message: message ?? String(error), ...given({ code }) } };
  }
}

async function done(request: CleanerRequest) {
  switch (request.job) {
    case 'clean-tree':
      return await cleanTree(request.directory, { ...request, redactor });
    case 'keep-state':
      return keepState(request.source, request.target, redactor);
    default:
      return request satisfies never;
  }
}
