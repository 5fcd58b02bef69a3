import { useRef, useState } from 'react';

import { RefusedError } from '../../../src/api/client.ts';
import { messageOf } from '../../../src/core/errors.ts';

/** One action at a time, and why the last one was refused. */
export function useAction() {
  const isRunning = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const act = async (work: () => Promise<unknown>) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setIsBusy(true);
    setRefused(undefined);
    await work().catch((error: unknown) => setRefused(wordsOf(error)));
    isRunning.current = false;
    setIsBusy(false);
  };
  return { act, isBusy, refused };
}

function wordsOf(error: unknown): string {
  if (!(error instanceof RefusedError)) return `The server did not answer: ${messageOf(error)}`;
  if (error.status === 412) return 'Somebody else saved a change meanwhile. Reload the page, and try again.';
  const { message, hint } = error.problem;
  return hint === undefined ? message : `${message} (${hint})`;
}
