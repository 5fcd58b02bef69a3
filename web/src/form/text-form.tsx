import { useEffect, useRef } from 'react';

import { safeText } from '../parts/safe-text.ts';
import { Loading } from '../parts/states.tsx';
import { useSession } from '../session/use-session.ts';
import { BothVersions } from './both-versions.tsx';
import { inputId } from './form-field.ts';
import type { FormProblem } from './form-problems.ts';
import { RestoredNote } from './restored-note.tsx';
import { TextField } from './text-field.tsx';
import { useTextForm, type TextFormSetup } from './use-text-form.ts';

interface TextFormProps extends TextFormSetup {
  /** The words of its button. */
  readonly submit: string;
}

/** A form of texts. What is typed stays until it is saved or discarded. */
export function TextForm(props: TextFormProps) {
  // A change is kept for its account.
  return useSession() === undefined ? <Loading what="the form" /> : <OpenForm {...props} />;
}

const NONE: readonly FormProblem[] = [];

function OpenForm(props: TextFormProps) {
  const { texts, isRestored, discard, set, submit, state, isBusy } = useTextForm(props);
  const { problems = NONE, refused, theirs } = state;
  useFocusOnFirst(problems);
  return (
    <form className="stack" noValidate onSubmit={(event) => void submit(event)}>
      {isRestored ? <RestoredNote onDiscard={discard} /> : null}
      {theirs === undefined ? null : (
        <BothVersions
          fields={props.fields.filter(({ name }) => theirs.conflicts.includes(name))}
          own={texts}
          theirs={theirs.texts}
          onTake={(name) => set(name, theirs.texts[name] ?? '')}
        />
      )}
      {problems.length === 0 ? null : (
        <p className="problem" role="alert">
          {problems.length === 1 ? 'There is one problem' : `There are ${problems.length} problems`}. Nothing
          was saved.
        </p>
      )}
      {props.fields.map((field) => (
        <TextField
          key={field.name}
          field={field}
          value={texts[field.name] ?? ''}
          help={typeof field.help === 'function' ? field.help(texts) : field.help}
          problems={problems.filter((problem) => problem.field === field.name)}
          isBusy={isBusy}
          onChange={(text) => set(field.name, text)}
        />
      ))}
      {refused === undefined ? null : (
        <p className="problem" role="alert">
          Not saved: {safeText(refused)}
        </p>
      )}
      <div>
        <button type="submit" className="main" aria-disabled={isBusy}>
          {props.submit}
        </button>
      </div>
    </form>
  );
}

/** Once for each list of problems, and with the caret where the mistake is. */
function useFocusOnFirst(problems: readonly FormProblem[]): void {
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
