import { useEffect, useRef, useState, type FormEvent } from 'react';

import { RefusedError } from '../../../src/api/client.ts';
import { messageOf } from '../../../src/core/errors.ts';
import { safeText } from '../parts/safe-text.ts';
import { useSend } from '../session/use-send.ts';
import { Conflicts } from './conflicts.tsx';
import { FIELDS, type Draft, type FieldName } from './draft.ts';
import { FieldInput, inputId } from './field-input.tsx';
import type { FieldProblem } from './field-problems.ts';
import type { KeptDraft } from './kept-draft.ts';
import { mergeDrafts } from './merge-drafts.ts';
import { Preview } from './preview.tsx';
import { saveCase } from './save-case.ts';
import { useKeptDraft } from './use-kept-draft.ts';

interface CaseFormProps {
  /** Absent: a new case. */
  readonly id?: string;
  /** The tab keeps the edit under this name; absent: under the id. */
  readonly keptAs?: string;
  /** The case as it is stored. */
  readonly first: KeptDraft;
  /** The case as it is stored now, after somebody else changed it. */
  readonly again: () => Promise<KeptDraft>;
  readonly onSaved: (id: string) => void;
}

/** The form of all fields and mocks of a case. What is typed stays until it is saved or discarded. */
export function CaseForm(props: CaseFormProps) {
  const { edit, isRestored, discard, set, save, state, isBusy } = useCaseForm(props);
  const { problems = NO_PROBLEMS, refused, theirs } = state;
  useFocusOnFirst(problems);
  return (
    <form className="stack" noValidate onSubmit={(event) => void save(event)}>
      {isRestored ? (
        <div className="note row between" aria-live="polite">
          <span>Your changes that were not saved are here again.</span>
          <button type="button" onClick={() => discard(props.first)}>
            Discard them
          </button>
        </div>
      ) : null}
      {theirs === undefined ? null : (
        <Conflicts
          fields={theirs.fields}
          own={edit.draft}
          theirs={theirs.draft}
          onTake={(field) => set(field, theirs.draft[field])}
        />
      )}
      {problems.length === 0 ? null : (
        <p className="problem" role="alert">
          {problems.length === 1 ? 'One field is' : `${problems.length} fields are`} wrong. Nothing was saved.
        </p>
      )}
      {FIELDS.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={edit.draft[field.name]}
          problems={problems.filter((problem) => problem.field === field.name)}
          onChange={(text) => set(field.name, text)}
        />
      ))}
      <Preview draft={edit.draft} />
      {refused === undefined ? null : (
        <p className="problem" role="alert">
          Not saved: {safeText(refused)}
        </p>
      )}
      <div>
        <button type="submit" className="main" disabled={isBusy}>
          {props.id === undefined ? 'Create' : 'Save'}
        </button>
      </div>
    </form>
  );
}

/** What came of the last attempt to save. */
interface SaveState {
  readonly problems?: readonly FieldProblem[];
  readonly refused?: string;
  readonly theirs?: { readonly draft: Draft; readonly fields: readonly FieldName[] };
}

const NO_PROBLEMS: readonly FieldProblem[] = [];

function useCaseForm({ id, keptAs = id ?? 'new', first, again, onSaved }: CaseFormProps) {
  const send = useSend();
  const { edit, change, isRestored, discard, forget } = useKeptDraft(keptAs, first);
  const [state, setState] = useState<SaveState>({});
  const [isBusy, setIsBusy] = useState(false);
  const merged = async (): Promise<SaveState> => {
    const now = await again();
    const { draft, conflicts } = mergeDrafts(edit.draft, edit.base, now.draft);
    change({ draft, base: now.draft, version: now.version });
    return { theirs: { draft: now.draft, fields: conflicts } };
  };
  const saved = async (): Promise<SaveState> => {
    const { draft, version, base } = edit;
    const target = { draft, version, mocks: base.tool_mocks, ...(id === undefined ? {} : { id }) };
    const saving = await saveCase(send, target);
    if (saving.outcome === 'wrong') return { problems: saving.problems };
    forget();
    onSaved(saving.id);
    return {};
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    const isStale = (error: unknown) => error instanceof RefusedError && error.status === 412;
    const next = await saved()
      .catch((error: unknown) => (isStale(error) ? merged() : { refused: messageOf(error) }))
      .catch((error: unknown) => ({ refused: messageOf(error) }));
    setState(next);
    setIsBusy(false);
  };
  const set = (field: FieldName, text: string) => change({ draft: { ...edit.draft, [field]: text } });
  return { edit, isRestored, discard, set, save, state, isBusy };
}

/** Once for each list of problems, and with the caret where the mistake is. */
function useFocusOnFirst(problems: readonly FieldProblem[]): void {
  const shown = useRef(problems);
  useEffect(() => {
    const [first] = problems;
    if (shown.current === problems || first === undefined) return;
    shown.current = problems;
    const field = document.getElementById(inputId(first.field));
    field?.focus();
    if (first.at !== undefined && field instanceof HTMLTextAreaElement) {
      field.setSelectionRange(first.at, first.at);
    }
  }, [problems]);
}
