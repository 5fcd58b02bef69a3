import { useEffect, useRef } from 'react';

import type { AnswerOf } from '../../../../src/api/route.ts';
import type { Table } from '../../../../src/api/table.ts';
import { Figure } from '../../parts/facts.tsx';
import { safeText } from '../../parts/safe-text.ts';
import type { ImportProblems } from './import-problems.ts';

export type ImportReport = AnswerOf<Table['importTestCases']>;

const COUNTS = ['created', 'replaced', 'merged', 'unchanged', 'skipped'] as const;

interface ReportProps {
  readonly of: ImportReport;
  readonly form: 'planned' | 'done';
}

/** What an import would do, or has done. */
export function Report({ of, form }: ReportProps) {
  const part = useRef<HTMLElement>(null);
  useEffect(() => part.current?.focus(), []);
  return (
    <section ref={part} tabIndex={-1} aria-labelledby="report">
      <h2 id="report">{form === 'planned' ? 'This import would do' : 'Imported'}</h2>
      <dl className="figures">
        {COUNTS.map((count) => (
          <Figure key={count} title={count} value={of[count]} />
        ))}
      </dl>
      {of.moved_mocks === 0 ? null : (
        <p>{of.moved_mocks} mocks of an older format become tool mocks of their cases.</p>
      )}
    </section>
  );
}

export function Problems({ of: { total, texts } }: { readonly of: ImportProblems }) {
  return (
    <div className="problem" role="alert">
      <p>
        {total === 1 ? 'One problem' : `${total.toLocaleString('en')} problems`}: nothing was imported.
        {texts.length < total ? ` The first ${texts.length} are:` : ''}
      </p>
      <ul>
        {texts.map((text, at) => (
          <li key={at}>{safeText(text)}</li>
        ))}
      </ul>
    </div>
  );
}

/** No answer came that says whether the import was done. */
export function Unknown({ reason, form }: { readonly reason: string; readonly form: ReportProps['form'] }) {
  return (
    <div className="problem" role="alert">
      <p>
        {form === 'planned'
          ? 'The file was not checked, and nothing was imported.'
          : 'It is unknown whether the file was imported. Import it again: what was imported already is not imported twice.'}
      </p>
      <p className="quiet">{safeText(reason)}</p>
    </div>
  );
}
