import { useRef, useState } from 'react';

import { keepDraft, keptDraft, type DraftPlace, type KeptDraft } from './kept-draft.ts';

/** The edit of a case. The tab keeps it until it is saved or discarded. */
export function useKeptDraft(place: DraftPlace, first: KeptDraft) {
  const [restored] = useState(() => keptDraft(place));
  const [edit, setEdit] = useState<KeptDraft>(restored ?? first);
  const [isRestored, setIsRestored] = useState(restored !== undefined);
  /** What is typed may be newer than what is drawn. */
  const latest = useRef(edit);
  const write = (next: KeptDraft) => {
    latest.current = next;
    setEdit(next);
    // At once: nothing else comes before a reload.
    keepDraft(place, next);
  };
  return {
    edit,
    latest: () => latest.current,
    change: (next: Partial<KeptDraft>) => write({ ...latest.current, ...next }),
    isRestored,
    discard: (to: KeptDraft) => {
      write(to);
      setIsRestored(false);
    },
    /** Something of it is saved. */
    settle: (next: Partial<KeptDraft>) => {
      write({ ...latest.current, ...next });
      setIsRestored(false);
    },
  };
}
