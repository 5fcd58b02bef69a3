import { useEffect, useRef, useState, type FormEvent } from 'react';

import { RefusedError } from '../../../src/api/client.ts';
import type { FormField, Texts } from './form-field.ts';
import { jsonProblems, notSaved, type FormProblem } from './form-problems.ts';
import type { KeptEdit } from './kept-edit.ts';
import { mergeTexts } from './merge-texts.ts';
import { useKeptEdit } from './use-kept-edit.ts';

export interface TextFormSetup {
  /** Of what is edited, for its copy in this tab. */
  readonly name: string;
  readonly fields: readonly FormField[];
  /** The texts as they are stored. */
  readonly stored: KeptEdit<Texts>;
  /** The same as they are stored now, after somebody else changed them. Absent: of something new. */
  readonly again?: () => Promise<KeptEdit<Texts>>;
  /** `stale`: somebody else changed it meanwhile, as with a 412. Throws refusals. */
  readonly save: (texts: Texts, version: string) => Promise<'saved' | 'stale'>;
  readonly onSaved: () => void | Promise<void>;
}

/** What came of the last attempt to save. */
interface SaveState {
  readonly problems?: readonly FormProblem[];
  readonly refused?: string;
  readonly theirs?: { readonly texts: Texts; readonly conflicts: readonly string[] };
}

/** The state of a form. It is saved once at a time. */
export function useTextForm({ name, fields, stored, again, save, onSaved }: TextFormSetup) {
  const { edit, isRestored, change, rebase, discard } = useKeptEdit(name, stored);
  const [state, setState] = useState<SaveState>({});
  const isSaving = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const isOpen = useIsOpen();
  const merged = async (): Promise<SaveState> => {
    const now = (await again?.()) ?? stored;
    const { texts, conflicts } = mergeTexts(edit.now, edit.base, now.now);
    rebase({ ...now, base: now.now, now: texts });
    return { theirs: { texts: now.now, conflicts } };
  };
  const saved = async (): Promise<SaveState> => {
    const problems = jsonProblems(fields, edit.now);
    if (problems.length > 0) return { problems };
    if ((await save(edit.now, edit.version)) === 'stale') return await merged();
    discard();
    // Who has left the page is not taken elsewhere.
    if (isOpen()) await onSaved();
    return {};
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A second Enter comes before the page is drawn again.
    if (isSaving.current) return;
    isSaving.current = true;
    setIsBusy(true);
    const next = await saved()
      .catch((error: unknown) => (isStale(error) ? merged() : notSaved(fields, error)))
      .catch((error: unknown) => notSaved(fields, error));
    setState(next);
    isSaving.current = false;
    setIsBusy(false);
  };
  const set = (field: string, text: string) => change({ ...edit.now, [field]: text });
  return { texts: edit.now, isRestored, discard, set, submit, state, isBusy };
}

function isStale(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 412;
}

function useIsOpen(): () => boolean {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return () => isOpen.current;
}
