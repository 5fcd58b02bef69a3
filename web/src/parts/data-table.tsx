import type { CSSProperties, ReactNode } from 'react';

import { safeText } from './safe-text.ts';

/** A column; numbers stand to the right. */
export type Column = string | { readonly title: string; readonly look: 'number' };

interface DataTableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  /** Scrolls within some height, where a table is one of many things on its page. */
  readonly isLow?: boolean;
  /** `stacked`: on a phone, the cells of a row stand below each other with their titles. Else it scrolls sideways. */
  readonly narrow?: 'stacked' | 'matrix';
  /** Rows. */
  readonly children: ReactNode;
}

/** A table. Where it is too wide, it scrolls by itself, also by keyboard. */
export function DataTable({ label, columns, isLow = false, narrow = 'stacked', children }: DataTableProps) {
  return (
    <div className={isLow ? 'scroll low' : 'scroll'} tabIndex={0} role="group" aria-label={safeText(label)}>
      <table className={narrow} style={narrow === 'stacked' ? columnTitles(columns) : undefined}>
        <TableHead columns={columns} />
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

export function TableHead({ columns }: Pick<DataTableProps, 'columns'>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const title = titleOf(column);
          return (
            <th key={title} scope="col" className={typeof column === 'string' ? undefined : column.look}>
              {title}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

/** The titles of columns for `td::before`, as `--column-1` and so on. */
export function columnTitles(columns: readonly Column[]): CSSProperties {
  return Object.fromEntries(
    columns.map((column, at) => [`--column-${at + 1}`, JSON.stringify(titleOf(column))]),
  );
}

function titleOf(column: Column): string {
  return typeof column === 'string' ? column : column.title;
}

export const numbers = (title: string): Column => ({ title, look: 'number' });
