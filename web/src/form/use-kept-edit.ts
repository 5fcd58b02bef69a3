import { useState } from 'react';

import { useSession } from '../session/use-session.ts';
import { keepEdit, keptEdit, type KeptEdit } from './kept-edit.ts';

/** A change of something stored. Each tab keeps it for its account until it is saved or discarded. */
export function useKeptEdit<Value>(name: string, stored: KeptEdit<Value>) {
  const key = `${useSession()?.account_id ?? ''} ${name}`;
  const [edit, setEdit] = useState(() => keptEdit<Value>(key));
  const [isRestored, setIsRestored] = useState(edit !== undefined);
  const set = (next: KeptEdit<Value> | undefined) => {
    keepEdit(key, next);
    setEdit(next);
    if (next === undefined) setIsRestored(false);
  };
  const shown = edit ?? stored;
  return {
    /** What is stored, while nothing is changed. */
    edit: shown,
    isChanged: edit !== undefined,
    isRestored,
    change: (now: Value) => set(isSame(now, shown.base) ? undefined : { ...shown, now }),
    /** Puts the change on top of what somebody else saved. */
    rebase: (next: KeptEdit<Value>) => set(next),
    discard: () => set(undefined),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
