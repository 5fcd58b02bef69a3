import { useEffect, useRef, useState } from 'react';

import { RestoredNote } from '../form/restored-note.tsx';
import { safeText } from '../parts/safe-text.ts';
import { Conflicts } from './conflicts.tsx';
import { EMPTY_DRAFT, expectsNothing, FIELDS, type Draft, type FieldName } from './draft.ts';
import { FieldInput, inputId } from './field-input.tsx';
import type { FieldProblem } from './field-problems.ts';
import { Preview } from './preview.tsx';
import { useCaseForm, type CaseFormProps } from './use-case-form.ts';

/** The form of all fields and mocks of a case. What is typed stays until it is saved or discarded. */
export function CaseForm(props: CaseFormProps) {
  const { edit, isRestored, discard, set, save, state, step } = useCaseForm(props);
  const { problems = NO_PROBLEMS, refused, theirs, saved } = state;
  useFocusOnFirst(problems);
  return (
    <form className="stack" noValidate inert={step === 'leaving'} onSubmit={(event) => void save(event)}>
      {isRestored ? <RestoredNote onDiscard={() => discard(props.first)} /> : null}
      {saved === undefined ? null : (
        <p className="note" role="status">
          {SAVED[saved]}
        </p>
      )}
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
      <Fields draft={edit.draft} problems={problems} set={set} />
      {refused === undefined ? null : (
        <p className="problem" role="alert">
          Not saved: {safeText(refused)}
        </p>
      )}
      <div className="save-bar">
        <button type="submit" className="main" disabled={step !== 'editing'}>
          {props.id === undefined ? 'Create' : 'Save'}
        </button>
      </div>
      <Preview draft={edit.draft} />
    </form>
  );
}

interface FieldsProps {
  readonly draft: Draft;
  readonly problems: readonly FieldProblem[];
  readonly set: (field: FieldName, text: string) => void;
}

/** What every case needs first. The rest is closed while nothing is in it. */
function Fields({ draft, problems, set }: FieldsProps) {
  const isMoreFilled = MORE.some(({ name }) => draft[name] !== EMPTY_DRAFT[name]);
  const [isOpened, setOpened] = useState(isMoreFilled);
  const isOpen = isOpened || MORE.some(({ name }) => problems.some(({ field }) => field === name));
  const isWanted = expectsNothing(draft);
  const input = (field: (typeof FIELDS)[number]) => (
    <FieldInput
      key={field.name}
      field={field}
      value={draft[field.name]}
      isWanted={isWanted}
      problems={problems.filter((problem) => problem.field === field.name)}
      onChange={(text) => set(field.name, text)}
    />
  );
  return (
    <>
      {FIRST.map(input)}
      <details open={isOpen} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
        <summary>More: tags, status, the simulated user, tool calls and mocks</summary>
        <div className="stack">{MORE.map(input)}</div>
      </details>
    </>
  );
}

const FIRST = FIELDS.filter((field) => !('isMore' in field));
const MORE = FIELDS.filter((field) => 'isMore' in field);

const NO_PROBLEMS: readonly FieldProblem[] = [];

const SAVED = {
  before: 'Saved. What you typed meanwhile is not saved yet.',
  fields: 'The fields are saved. The tool mocks are not saved yet.',
};

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
