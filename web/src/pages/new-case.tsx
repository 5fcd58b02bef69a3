import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';

import { CaseForm } from '../editor/case-form.tsx';
import { EMPTY_DRAFT } from '../editor/draft.ts';
import { askAgain } from '../long-lists.ts';
import { useTitle } from '../parts/use-title.ts';
import { useSession } from '../session/use-session.ts';

const newDraft = () => ({
  draft: EMPTY_DRAFT,
  base: EMPTY_DRAFT,
  version: '',
  newId: crypto.randomUUID(),
});

/** A case that is written here. */
export function NewCasePage() {
  useTitle('New case');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const account = useSession()?.account_id;
  const [first] = useState(newDraft);
  return (
    <>
      <p className="path">
        <Link to="/cases">← Cases</Link>
      </p>
      <h1>New case</h1>
      {account === undefined ? null : (
        <CaseForm
          key={account}
          account={account}
          first={first}
          again={async () => first}
          onSaved={() => askAgain(queries, [['cases'], ['tags']])}
          goTo={(id, page) =>
            void navigate({ to: page === 'edit' ? '/cases/$id/edit' : '/cases/$id', params: { id } })
          }
        />
      )}
    </>
  );
}
