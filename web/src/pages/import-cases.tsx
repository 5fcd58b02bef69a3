import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef, useState, type FormEvent } from 'react';

import { useTitle } from '../parts/use-title.ts';
import { useSend } from '../session/use-send.ts';
import { caseFileOf, type CaseFile } from './import-cases/case-file.ts';
import { problemsOf, type ImportProblems } from './import-cases/import-problems.ts';
import { Problems, Report, type ImportReport } from './import-cases/report.tsx';

type OnConflict = (typeof CHOICES)[number]['value'];

const CHOICES = [
  { value: 'error', title: 'are a problem' },
  { value: 'skip', title: 'stay as they are' },
  { value: 'merge', title: 'get the fields of the file' },
  { value: 'replace', title: 'are replaced as a whole' },
] as const;

/** Imports a file: what it would do is shown before anything is written. */
export function ImportCasesPage() {
  useTitle('Import cases');
  const { check, write, forget, state, isBusy } = useImport();
  const [onConflict, setOnConflict] = useState<OnConflict>('error');
  const chosen = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [file] = chosen.current?.files ?? [];
    if (state.checked !== undefined) void write(state.checked.file, onConflict);
    else if (file !== undefined) void check(file, onConflict);
  };
  return (
    <>
      <p className="path">
        <Link to="/cases">← Cases</Link>
      </p>
      <h1>Import cases</h1>
      <form className="stack" onSubmit={submit}>
        <div className="field">
          <label htmlFor="file">File</label>
          <input
            ref={chosen}
            id="file"
            type="file"
            required
            accept=".json,.jsonl,.ndjson,.yaml,.yml"
            aria-describedby="file-help"
            onChange={forget}
          />
          <p id="file-help" className="quiet">
            JSON, JSONL or YAML, as an export writes it. Nothing is written before you have seen what it does.
          </p>
        </div>
        <ConflictField
          value={onConflict}
          onChange={(next) => {
            setOnConflict(next);
            forget();
          }}
        />
        {state.problems === undefined ? null : <Problems of={state.problems} />}
        {state.checked === undefined ? null : <Report of={state.checked.report} form="planned" />}
        {state.done === undefined ? null : <Report of={state.done} form="done" />}
        <div>
          <button type="submit" className="main" disabled={isBusy}>
            {state.checked === undefined ? 'Check the file' : 'Import it'}
          </button>
        </div>
      </form>
    </>
  );
}

interface ConflictFieldProps {
  readonly value: OnConflict;
  readonly onChange: (next: OnConflict) => void;
}

function ConflictField({ value, onChange }: ConflictFieldProps) {
  return (
    <div className="field">
      <label htmlFor="conflict">Cases of the file that are here already</label>
      <select id="conflict" value={value} onChange={({ target }) => onChange(target.value as OnConflict)}>
        {CHOICES.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title}
          </option>
        ))}
      </select>
    </div>
  );
}

interface ImportState {
  readonly checked?: { readonly file: CaseFile; readonly report: ImportReport };
  readonly done?: ImportReport;
  readonly problems?: ImportProblems;
}

function useImport() {
  const send = useSend();
  const queries = useQueryClient();
  const [state, setState] = useState<ImportState>({});
  const [isBusy, setIsBusy] = useState(false);
  const key = useRef('');
  const ask = async (work: () => Promise<ImportState>) => {
    setIsBusy(true);
    setState(await work().catch((error: unknown) => ({ problems: problemsOf(error) })));
    setIsBusy(false);
  };
  const post = (file: CaseFile, query: { readonly on_conflict: OnConflict; readonly dry_run?: string }) =>
    send<'importTestCases'>(
      ['POST', '/test-cases/import'],
      { path: {}, query, file },
      query.dry_run === undefined ? { idempotencyKey: key.current } : {},
    );
  return {
    state,
    isBusy,
    forget: () => setState({}),
    check: (chosen: File, onConflict: OnConflict) =>
      ask(async () => {
        const file = await caseFileOf(chosen);
        key.current = crypto.randomUUID();
        const { answer: report } = await post(file, { on_conflict: onConflict, dry_run: 'true' });
        return { checked: { file, report } };
      }),
    write: (file: CaseFile, onConflict: OnConflict) =>
      ask(async () => {
        const { answer: done } = await post(file, { on_conflict: onConflict });
        for (const queryKey of [['cases'], ['case'], ['tags']]) void queries.invalidateQueries({ queryKey });
        return { done };
      }),
  };
}
