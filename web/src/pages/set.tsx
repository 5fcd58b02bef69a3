import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';

import type { CaseSetResource } from '../../../src/api/resources/case-set.ts';
import { Answered } from '../parts/answered.tsx';
import { Back } from '../parts/back.tsx';
import { Fact } from '../parts/facts.tsx';
import { LongText } from '../parts/long-text.tsx';
import { lineText } from '../parts/cut.ts';
import { Refused } from '../session/refused.tsx';
import { safeText } from '../parts/safe-text.ts';
import { Time } from '../parts/time.tsx';
import { useAction } from '../session/use-action.ts';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useSend } from '../session/use-send.ts';
import { useMay } from '../session/use-session.ts';
import { refreshSets, wholeSetQuery } from '../sets/queries.ts';
import { Members } from './set/members.tsx';

/** A set with its members in their order. */
export function SetPage() {
  useRowKeys();
  const { id } = useParams({ from: '/sets/$id' });
  const whole = useQuery(wholeSetQuery(id));
  useTitle(lineText(whole.data?.set.name ?? 'Set', 80));
  return (
    <>
      <Back to="/sets">Sets</Back>
      {whole.data === undefined ? <h1>Set</h1> : null}
      <Answered of={whole} what="the set">
        {(data) => (
          <>
            <Head of={data.set} />
            <Facts of={data.set} count={data.members.length} />
            {data.set.description === null ? null : <LongText text={data.set.description} />}
            <Members key={id} of={data} />
          </>
        )}
      </Answered>
    </>
  );
}

function Head({ of }: { readonly of: CaseSetResource }) {
  const { id, archived_at: archivedAt, updated_at: ifMatch } = of;
  const mayWrite = useMay('member');
  const queries = useQueryClient();
  const send = useSend();
  const { act, isBusy, error } = useAction();
  const change = () =>
    act(async () => {
      const sent = { path: { id }, body: { archived: archivedAt === null } };
      await send<'changeCaseSet'>(['PATCH', '/case-sets/{id}'], sent, { ifMatch });
      await refreshSets(queries, id);
    });
  return (
    <>
      <div className="row between">
        <h1>{safeText(of.name)}</h1>
        <span className="row">
          <Link className="button" to="/cases" search={{ set: id, status: 'any' }}>
            Its cases
          </Link>
          {mayWrite ? (
            <>
              <Link className="button" to="/runs/new" search={{ set: id }}>
                Run this set
              </Link>
              <Link className="button" to="/sets/$id/edit" params={{ id }}>
                Edit
              </Link>
              <button type="button" aria-disabled={isBusy} onClick={() => void change()}>
                {archivedAt === null ? 'Archive' : 'Take back'}
              </button>
            </>
          ) : null}
        </span>
      </div>
      <Refused what="Not changed" error={error} />
    </>
  );
}

function Facts({ of, count }: { readonly of: CaseSetResource; readonly count: number }) {
  return (
    <dl className="facts">
      <Fact title="State">
        {of.archived_at === null ? (
          'in use'
        ) : (
          <>
            archived <Time at={of.archived_at} />
          </>
        )}
      </Fact>
      <Fact title="Members">{count.toLocaleString('en')}</Fact>
      <Fact title="Version">{of.version}</Fact>
      <Fact title="Created">
        <Time at={of.created_at} />
      </Fact>
      <Fact title="Changed">
        <Time at={of.updated_at} />
      </Fact>
    </dl>
  );
}
