import { Link, useNavigate, useSearch } from '@tanstack/react-router';

import type { CaseSetResource } from '../../../src/api/resources/case-set.ts';
import type { ArchivedFilter } from '../parts/archived.ts';
import { ArchivedChoice } from '../parts/archived-choice.tsx';
import { DataTable, numbers } from '../parts/data-table.tsx';
import { Name } from '../parts/name.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { useMay } from '../session/use-session.ts';
import { useSetList } from '../sets/queries.ts';

const COLUMNS = ['Set', numbers('Version'), 'Changed', 'State'];

/** The sets of test cases. */
export function SetsPage() {
  useTitle('Sets');
  useRowKeys();
  const filter = useSearch({ from: '/sets' });
  const navigate = useNavigate({ from: '/sets' });
  const mayWrite = useMay('member');
  const sets = useSetList(filter);
  const found = sets.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <>
      <div className="row between">
        <h1>Sets</h1>
        {mayWrite ? (
          <Link className="button" to="/sets/new">
            New set
          </Link>
        ) : null}
      </div>
      <ArchivedChoice
        filter={filter}
        onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
      />
      {sets.isPending ? <Loading what="sets" /> : null}
      {sets.isError ? <Failed error={sets.error} /> : null}
      {sets.data === undefined ? null : found.length === 0 ? (
        <None filter={filter} />
      ) : (
        <DataTable label="Sets" columns={COLUMNS}>
          {found.map((set) => (
            <SetRow key={set.id} of={set} />
          ))}
        </DataTable>
      )}
      <ShowMore of={sets} what="sets" />
    </>
  );
}

function SetRow({ of }: { readonly of: CaseSetResource }) {
  return (
    <tr>
      <th scope="row">
        <Link data-row to="/sets/$id" params={{ id: of.id }}>
          <Name text={of.name} />
        </Link>
        {of.description === null ? null : (
          <small>
            <Name text={of.description} />
          </small>
        )}
      </th>
      <td className="number">{of.version}</td>
      <td className="keep">
        <Time at={of.updated_at} />
      </td>
      <td>{of.archived_at === null ? 'in use' : 'archived'}</td>
    </tr>
  );
}

function None({ filter: { archived } }: { readonly filter: ArchivedFilter }) {
  if (archived === 'true') return <Empty>No set is archived.</Empty>;
  return <Empty>No sets yet. A set is a list of test cases in an order, with repetitions.</Empty>;
}
