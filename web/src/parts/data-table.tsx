import type { ReactNode } from 'react';

/** A column; numbers stand to the right, and `wide` ones are left out where there is little room. */
export type Column = string | { readonly title: string; readonly look: 'number' | 'wide' };

interface DataTableProps {
  readonly label: string;
  readonly columns: readonly Column[];
  /** Scrolls within some height, where a table is one of many things on its page. */
  readonly isLow?: boolean;
  readonly className?: string;
  /** Rows. */
  readonly children: ReactNode;
}

/** A table that scrolls sideways by itself, also by keyboard. */
export function DataTable({ label, columns, isLow = false, className, children }: DataTableProps) {
  return (
    <div className={isLow ? 'scroll low' : 'scroll'} tabIndex={0} role="group" aria-label={label}>
      <table className={className}>
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
          const title = typeof column === 'string' ? column : column.title;
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

export const numbers = (title: string): Column => ({ title, look: 'number' });
