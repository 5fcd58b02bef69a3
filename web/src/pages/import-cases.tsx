import { useState, type FormEvent } from 'react';

import { Back } from '../parts/back.tsx';
import { useTitle } from '../parts/use-title.ts';
import { Problems, Report, Unknown } from './import-cases/report.tsx';
import { useImport, type OnConflict } from './import-cases/use-import.ts';

const CHOICES = [
  { value: 'error', title: 'are a problem' },
  { value: 'skip', title: 'stay as they are' },
  { value: 'merge', title: 'get the fields of the file' },
  { value: 'replace', title: 'are replaced as a whole' },
] as const satisfies readonly { readonly value: OnConflict; readonly title: string }[];

/** Imports a file: what it would do is shown before anything is written. */
export function ImportCasesPage() {
  useTitle('Import cases');
  const [onConflict, setOnConflict] = useState<OnConflict>('error');
  const [file, setFile] = useState<File>();
  const { check, write, state, step } = useImport({ file, onConflict });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void (state.checked === undefined ? check() : write(state.checked));
  };
  return (
    <>
      <Back to="/cases">Cases</Back>
      <h1>Import cases</h1>
      <form className="stack" onSubmit={submit}>
        <div className="field">
          <label htmlFor="file">File</label>
          <input
            id="file"
            type="file"
            required
            disabled={step === 'writing'}
            accept=".json,.jsonl,.ndjson,.yaml,.yml"
            aria-describedby="file-help"
            onChange={({ target }) => setFile(target.files?.[0])}
          />
          <p id="file-help" className="quiet">
            JSON, JSONL or YAML, as an export writes it. Nothing is written before you have seen what it does.
          </p>
        </div>
        <ConflictField value={onConflict} isFixed={step === 'writing'} onChange={setOnConflict} />
        {state.problems === undefined ? null : <Problems of={state.problems} />}
        {state.checked === undefined ? null : <Report of={state.checked.report} form="planned" />}
        {state.unknown === undefined ? null : (
          <Unknown reason={state.unknown} form={state.checked === undefined ? 'planned' : 'done'} />
        )}
        {state.done === undefined ? null : <Report of={state.done} form="done" />}
        <div>
          <button type="submit" className="main" disabled={step !== undefined}>
            {state.checked === undefined ? 'Check the file' : 'Import it'}
          </button>
        </div>
      </form>
    </>
  );
}

interface ConflictFieldProps {
  readonly value: OnConflict;
  readonly isFixed: boolean;
  readonly onChange: (next: OnConflict) => void;
}

function ConflictField({ value, isFixed, onChange }: ConflictFieldProps) {
  return (
    <div className="field">
      <label htmlFor="conflict">Cases of the file that are here already</label>
      <select
        id="conflict"
        value={value}
        disabled={isFixed}
        onChange={({ target }) => onChange(target.value as OnConflict)}
      >
        {CHOICES.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title}
          </option>
        ))}
      </select>
    </div>
  );
}
