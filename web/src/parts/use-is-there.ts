import { useEffect, useRef } from 'react';

/** Whether a part is still shown, for what an answer does that comes later. */
export function useIsThere(): () => boolean {
  const isThere = useRef(false);
  useEffect(() => {
    isThere.current = true;
    return () => {
      isThere.current = false;
    };
  }, []);
  return () => isThere.current;
}
