import type { InfiniteData } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';

import { Answered } from './answered.tsx';
import { DataTable, type Column } from './data-table.tsx';
import { ShowMore } from './show-more.tsx';

interface PagedTableProps<Row> {
  readonly of: ComponentProps<typeof ShowMore>['of'] &
    ComponentProps<typeof Answered<InfiniteData<{ readonly data: readonly Row[] }>>>['of'];
  readonly what: string;
  readonly label: string;
  readonly columns: readonly Column[];
  /** Shown if the list has no entries. */
  readonly empty: ReactNode;
  readonly children: (row: Row) => ReactNode;
}

/** A list that is loaded page by page, in a table. */
export function PagedTable<Row>({ of, what, label, columns, empty, children }: PagedTableProps<Row>) {
  return (
    <>
      <Answered of={of} what={what}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          return rows.length === 0 ? (
            empty
          ) : (
            <DataTable label={label} columns={columns}>
              {rows.map(children)}
            </DataTable>
          );
        }}
      </Answered>
      <ShowMore of={of} what={what} />
    </>
  );
}
