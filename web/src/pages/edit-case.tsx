import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';

import { wholeCaseQuery, type WholeCase } from '../cases/queries.ts';
import { CaseForm } from '../editor/case-form.tsx';
import { draftOf } from '../editor/draft.ts';
import { askAgain } from '../long-lists.ts';
import { Back } from '../parts/back.tsx';
import { lineText } from '../parts/cut.ts';
import { Failed, Loading } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useSession } from '../session/use-session.ts';

/** A stored case that is changed here. */
export function EditCasePage() {
  const { id } = useParams({ from: '/cases/$id/edit' });
  const queries = useQueryClient();
  const navigate = useNavigate();
  // An answer that comes later must not change the form below the hands of its writer.
  const whole = useQuery({ ...wholeCaseQuery(id), refetchOnWindowFocus: false });
  const account = useSession()?.account_id;
  useTitle(`Edit ${lineText(whole.data?.fields.name ?? 'a case', 80)}`);
  return (
    <>
      <Back to="/cases/$id" params={{ id }}>
        Case
      </Back>
      <h1>Edit the case</h1>
      {whole.isPending ? <Loading what="the test case" /> : null}
      {whole.isError ? <Failed error={whole.error} /> : null}
      {whole.data === undefined || account === undefined ? null : (
        <CaseForm
          key={`${account} ${id}`}
          account={account}
          id={id}
          first={firstOf(whole.data)}
          again={async () => firstOf(await queries.fetchQuery({ ...wholeCaseQuery(id), staleTime: 0 }))}
          onSaved={() => askAgain(queries, [['cases'], ['case', id], ['tags']])}
          goTo={() => void navigate({ to: '/cases/$id', params: { id } })}
        />
      )}
    </>
  );
}

function firstOf({ fields, mocks, version }: WholeCase) {
  const draft = draftOf(fields, mocks);
  return { draft, base: draft, version };
}
