import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';

import { wholeCaseQuery } from '../cases/queries.ts';
import { CaseForm } from '../editor/case-form.tsx';
import { EMPTY_DRAFT, type Draft } from '../editor/draft.ts';
import { askAgain } from '../long-lists.ts';
import { lineText } from '../parts/cut.ts';
import { safeText } from '../parts/safe-text.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useSession } from '../session/use-session.ts';
import { draftLike } from './new-case/draft-like.ts';
import { seenTrialQuery } from './new-case/seen-trial-query.ts';

/** A case that is written here, perhaps beginning with what happened in a trial, or with another case. */
export function NewCasePage() {
  useTitle('New case');
  const { run = '', trial = '', like = '' } = useSearch({ from: '/cases/new' });
  const account = useSession()?.account_id;
  const isOfTrial = run !== '' && trial !== '';
  const isLike = !isOfTrial && like !== '';
  const seen = useQuery({ ...seenTrialQuery({ run, trial }), enabled: isOfTrial });
  const other = useQuery({ ...wholeCaseQuery(like), enabled: isLike, refetchOnWindowFocus: false });
  const draft = useMemo(
    () => (isOfTrial ? seen.data : isLike ? other.data && draftLike(other.data) : EMPTY_DRAFT),
    [isOfTrial, isLike, seen.data, other.data],
  );
  const keptAs = isOfTrial ? `new ${run} ${trial}` : isLike ? `new like ${like}` : 'new';
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
      {isLike && other.data !== undefined ? <Like id={like} name={other.data.fields.name} /> : null}
      {seen.isLoading ? <Loading what="the trial" /> : null}
      {other.isLoading ? <Loading what="the other case" /> : null}
      {seen.isError ? <Failed error={seen.error} /> : null}
      {other.isError ? <Failed error={other.error} /> : null}
      {draft === undefined || account === undefined ? null : (
        <Form key={`${account} ${keptAs}`} account={account} draft={draft} keptAs={keptAs} />
      )}
    </>
  );
}

interface LikeProps {
  readonly id: string;
  readonly name: string;
}

function Like({ id, name }: LikeProps) {
  return (
    <p className="note">
      <span>
        Filled in like{' '}
        <Link to="/cases/$id" params={{ id }}>
          {safeText(lineText(name, 80))}
        </Link>
        , without its name and message.
      </span>
    </p>
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
