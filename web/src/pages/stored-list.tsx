import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

import { ArchivedChoice } from '../parts/archived-choice.tsx';
import { numbers } from '../parts/data-table.tsx';
import { Name } from '../parts/name.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Empty } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useRowKeys } from '../parts/use-keys.ts';
import { useTitle } from '../parts/use-title.ts';
import { AddLink } from '../session/add-link.tsx';

/** An entry of the list: an agent or a set. */
interface Stored {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
  readonly updated_at: string;
  readonly archived_at: string | null;
}

interface StoredListProps {
  readonly of: ComponentProps<typeof PagedTable<Stored>>['of'];
  /** The page of the list. */
  readonly place: '/agents' | '/sets';
  /** The word for one entry, in lower case. */
  readonly one: string;
  /** Heading of the column with the names. */
  readonly nameColumn: string;
  readonly title: string;
  /** Shown while the list is empty. */
  readonly emptyText: string;
}

/** The agents or the sets of the store. */
export function StoredList({ of, place, one, nameColumn, title, emptyText }: StoredListProps) {
  useTitle(title);
  useRowKeys();
  const filter = useSearch({ from: place });
  const navigate = useNavigate({ from: place });
  return (
    <>
      <div className="row between">
        <h1>{title}</h1>
        <AddLink to={`${place}/new`}>New {one}</AddLink>
      </div>
      <ArchivedChoice
        filter={filter}
        onChange={(next) => void navigate({ search: next, replace: true, resetScroll: false })}
      />
      <PagedTable
        of={of}
        what={title.toLowerCase()}
        label={title}
        columns={[nameColumn, numbers('Version'), 'Changed', 'State']}
        empty={<Empty>{filter.archived === 'true' ? `No ${one} is archived.` : emptyText}</Empty>}
      >
        {(entry) => <Row key={entry.id} of={entry} place={place} />}
      </PagedTable>
    </>
  );
}

function Row({ of, place }: { readonly of: Stored } & Pick<StoredListProps, 'place'>) {
  return (
    <tr>
      <th scope="row">
        <Link data-row to={`${place}/$id`} params={{ id: of.id }}>
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
