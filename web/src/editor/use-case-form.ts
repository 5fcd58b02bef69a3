import { useRef, useState, type FormEvent } from 'react';

import { RefusedError } from '../../../src/api/client.ts';
import { messageOf } from '../../../src/core/errors.ts';
import { useIsThere } from '../parts/use-is-there.ts';
import { useSend } from '../session/use-send.ts';
import type { Draft, FieldName } from './draft.ts';
import type { FieldProblem } from './field-problems.ts';
import { forgetDraft, isSameDraft, keepDraft, type KeptDraft } from './kept-draft.ts';
import { mergeDrafts } from './merge-drafts.ts';
import { saveCase, type Saving } from './save-case.ts';
import { useKeptDraft } from './use-kept-draft.ts';

export interface CaseFormProps {
  /** Id of who writes here. */
  readonly account: string;
  /** Absent: a new case. */
  readonly id?: string;
  /** The tab keeps the edit under this name; absent: under the id. */
  readonly keptAs?: string;
  /** The case as it is stored. */
  readonly first: KeptDraft;
  /** The case as it is stored now, after somebody else changed it. */
  readonly again: () => Promise<KeptDraft>;
  /** Lists and pages are to show it. */
  readonly onSaved: (id: string) => void;
  /** `edit`: of a new case, where somebody typed on while it was made. */
  readonly goTo: (id: string, page: 'case' | 'edit') => void;
}

/** What came of the last attempt to save. */
interface SaveState {
  readonly problems?: readonly FieldProblem[];
  readonly refused?: string;
  readonly theirs?: { readonly draft: Draft; readonly fields: readonly FieldName[] };
  /** `before`: all but what was typed after it was sent. */
  readonly saved?: 'before' | 'fields';
}

type Step = 'editing' | 'saving' | 'leaving';

/** One save at a time. What is typed meanwhile stays in the form. */
export function useCaseForm({
  account,
  id,
  keptAs = id ?? 'new',
  first,
  again,
  onSaved,
  goTo,
}: CaseFormProps) {
  const place = { account, id: keptAs };
  const { edit, latest, change, isRestored, discard, settle } = useKeptDraft(place, first);
  const { step, attempt, state } = useAttempts();
  const isThere = useIsThere();
  const freshId = () => {
    const newId = crypto.randomUUID();
    change({ newId });
    return newId;
  };
  const save = useSave(id, freshId);
  const merged = async (): Promise<SaveState> => {
    const now = await again();
    const { draft, conflicts } = mergeDrafts(latest().draft, latest().base, now.draft);
    change({ draft, base: now.draft, version: now.version });
    return { theirs: { draft: now.draft, fields: conflicts } };
  };
  const refused = async (error: unknown): Promise<SaveState> =>
    isStale(error) ? await merged() : { refused: messageOf(error) };
  const afterwards = async (sent: KeptDraft, saving: Saving): Promise<SaveState | 'leaving'> => {
    if (saving.outcome === 'wrong') return { problems: saving.problems };
    if (saving.outcome === 'without-mocks') {
      settle({ base: { ...sent.draft, tool_mocks: sent.base.tool_mocks }, version: saving.version });
      return { ...(await refused(saving.error)), saved: 'fields' };
    }
    onSaved(saving.id);
    const isMore = !isSameDraft(latest().draft, sent.draft);
    const rest = { draft: latest().draft, base: sent.draft, version: saving.version };
    if (id !== undefined) settle(rest);
    else {
      keepDraft({ account, id: saving.id }, rest);
      forgetDraft(place);
    }
    if (isMore && id !== undefined) return { saved: 'before' };
    if (isThere()) goTo(saving.id, isMore ? 'edit' : 'case');
    return 'leaving';
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    return attempt(async () => {
      const sent = latest();
      return await save(sent)
        .then((saving) => afterwards(sent, saving))
        .catch(refused)
        .catch((error: unknown) => ({ refused: messageOf(error) }));
    });
  };
  const set = (field: FieldName, text: string) => change({ draft: { ...latest().draft, [field]: text } });
  return { edit, isRestored, discard, set, save: submit, state, step };
}

function isStale(error: unknown): boolean {
  return error instanceof RefusedError && error.status === 412;
}

/** A second press before the answer to the first one does nothing. */
function useAttempts() {
  const isBusy = useRef(false);
  const [step, setStep] = useState<Step>('editing');
  const [state, setState] = useState<SaveState>({});
  const attempt = async (work: () => Promise<SaveState | 'leaving'>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setStep('saving');
    const next = await work();
    isBusy.current = next === 'leaving';
    setStep(next === 'leaving' ? 'leaving' : 'editing');
    if (next !== 'leaving') setState(next);
  };
  return { step, attempt, state };
}

/** The same text is sent with the same key: a case whose answer was lost is not made twice. */
function useSave(id: string | undefined, freshId: () => string) {
  const send = useSend();
  const sent = useRef({ text: '', key: '' });
  const keyOf = (text: string) => {
    if (sent.current.text !== text) sent.current = { text, key: crypto.randomUUID() };
    return sent.current.key;
  };
  return (edit: KeptDraft) =>
    saveCase(send, { ...edit, keyOf, freshId, ...(id === undefined ? {} : { id }) });
}
