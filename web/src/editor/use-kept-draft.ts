import { useEffect, useRef, useState } from 'react';

import { keepDraft, keptDraft, type KeptDraft } from './kept-draft.ts';

const TYPING_MS = 300;

/** The edit of a case. The tab keeps it until it is saved or discarded. */
export function useKeptDraft(id: string, first: KeptDraft) {
  const [restored] = useState(() => keptDraft(id));
  const [edit, setEdit] = useState<KeptDraft>(restored ?? first);
  const [isRestored, setIsRestored] = useState(restored !== undefined);
  const current = useRef(edit);
  useEffect(() => {
    current.current = edit;
  });
  useEffect(() => {
    const keep = () => {
      const isChanged = JSON.stringify(current.current.draft) !== JSON.stringify(current.current.base);
      keepDraft(id, isChanged ? current.current : undefined);
    };
    const timer = setTimeout(keep, TYPING_MS);
    addEventListener('pagehide', keep);
    return () => {
      clearTimeout(timer);
      removeEventListener('pagehide', keep);
    };
  }, [id, edit]);
  return {
    edit,
    change: (next: Partial<KeptDraft>) => setEdit((before) => ({ ...before, ...next })),
    isRestored,
    discard: (to: KeptDraft) => {
      keepDraft(id, undefined);
      setEdit(to);
      setIsRestored(false);
    },
    forget: () => keepDraft(id, undefined),
  };
}
