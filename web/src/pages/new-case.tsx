import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';

import { CaseForm } from '../editor/case-form.tsx';
import { EMPTY_DRAFT, type Draft } from '../editor/draft.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { seenTrialQuery } from './new-case/seen-trial-query.ts';

/** A case that is written here, perhaps beginning with what happened in a trial. */
export function NewCasePage() {
  useTitle('New case');
  const { run = '', trial = '' } = useSearch({ from: '/cases/new' });
  const isOfTrial = run !== '' && trial !== '';
  const seen = useQuery({ ...seenTrialQuery({ run, trial }), enabled: isOfTrial });
  const draft = isOfTrial ? seen.data : EMPTY_DRAFT;
  return (
    <>
      <p className="path">
        {isOfTrial ? (
          <Link to="/runs/$run/trials/$trial" params={{ run, trial }}>
            ← Trial
          </Link>
        ) : (
          <Link to="/cases">← Cases</Link>
        )}
      </p>
      <h1>New case</h1>
      {seen.isLoading ? <Loading what="the trial" /> : null}
      {seen.isError ? <Failed error={seen.error} /> : null}
      {draft === undefined ? null : (
        <Form key={`${run} ${trial}`} draft={draft} keptAs={isOfTrial ? `new ${run} ${trial}` : 'new'} />
      )}
    </>
  );
}

interface FormProps {
  readonly draft: Draft;
  /** A case of a trial is another edit than a case from nothing. */
  readonly keptAs: string;
}

function Form({ draft, keptAs }: FormProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const first = { draft, base: draft, version: '' };
  return (
    <CaseForm
      first={first}
      keptAs={keptAs}
      again={async () => first}
      onSaved={(id) => {
        void queries.invalidateQueries({ queryKey: ['cases'] });
        void queries.invalidateQueries({ queryKey: ['tags'] });
        void navigate({ to: '/cases/$id', params: { id } });
      }}
    />
  );
}
