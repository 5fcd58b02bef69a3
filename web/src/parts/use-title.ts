import { useEffect } from 'react';

import { safeText } from './safe-text.ts';

/** Names the tab. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${safeText(title)} · assay`;
  }, [title]);
}
