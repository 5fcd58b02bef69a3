import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

import { CaseForm } from '../editor/case-form.tsx';
import { EMPTY_DRAFT, type Draft } from '../editor/draft.ts';
import { askAgain } from '../long-lists.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useSession } from '../session/use-session.ts';
import { seenTrialQuery } from './new-case/seen-trial-query.ts';

/** A case that is written here, perhaps beginning with what happened in a trial. */
export function NewCasePage() {
  useTitle('New case');
  const { run = '', trial = '' } = useSearch({ from: '/cases/new' });
  const account = useSession()?.account_id;
  const isOfTrial = run !== '' && trial !== '';
  const seen = useQuery({ ...seenTrialQuery({ run, trial }), enabled: isOfTrial });
  const draft = isOfTrial ? seen.data : EMPTY_DRAFT;
  const keptAs = isOfTrial ? `new ${run} ${trial}` : 'new';
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
      {draft === undefined || account === undefined ? null : (
        <Form key={`${account} ${keptAs}`} account={account} draft={draft} keptAs={keptAs} />
      )}
    </>
  );
}

interface FormProps {
  readonly account: string;
  readonly draft: Draft;
  /** A case of a trial is another edit than a case from nothing. */
  readonly keptAs: string;
}

function Form({ account, draft, keptAs }: FormProps) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [first] = useState(() => ({ draft, base: draft, version: '', newId: crypto.randomUUID() }));
  return (
    <CaseForm
      account={account}
      keptAs={keptAs}
      first={first}
      again={async () => first}
      onSaved={() => askAgain(queries, [['cases'], ['tags']])}
      goTo={(id, page) =>
        void navigate({ to: page === 'edit' ? '/cases/$id/edit' : '/cases/$id', params: { id } })
      }
    />
  );
}
