import { useRef, useState } from 'react';

/** One thing at a time that somebody asks a page to do, and why it was not done. Its button keeps the focus. */
export function useAction() {
  const isUnderWay = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const act = async (work: () => Promise<void>) => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setIsBusy(true);
    setError(undefined);
    await work().catch((thrown: unknown) => setError(thrown));
    isUnderWay.current = false;
    setIsBusy(false);
  };
  return { act, isBusy, error };
}
