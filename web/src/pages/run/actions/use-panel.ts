import { useEffect, useRef, type KeyboardEvent } from 'react';

/** The panel of an action takes the focus when it opens. Escape closes it. */
export function usePanel<Part extends HTMLElement>(onClose: () => void) {
  const ref = useRef<Part>(null);
  useEffect(() => ref.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  return { ref, onKeyDown };
}
