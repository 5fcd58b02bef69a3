import { Link } from '@tanstack/react-router';

import type { Matrix as Cases } from '../../../../src/api/resources/matrix.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { lineText } from '../../parts/cut.ts';
import { CaseName } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Failed } from '../../parts/states.tsx';
import { Mark } from '../../parts/verdict.tsx';
import { useMatrix } from '../../queries.ts';

/** Cases against targets with a mark for each repetition; only where there is more than the list tells. */
export function Matrix({ run }: { readonly run: string }) {
  const matrix = useMatrix(run);
  if (matrix.isError) return <Failed error={matrix.error} />;
  const [page] = matrix.data?.pages ?? [];
  if (page === undefined) return null;
  const cases = matrix.data?.pages.flatMap((each) => each.cases) ?? [];
  const isPlain =
    page.targets.length < 2 && !cases.some(({ cells }) => cells.some(({ length }) => length > 1));
  if (isPlain) return null;
  return (
    <section aria-labelledby="matrix">
      <h2 id="matrix">Cases by target</h2>
      <MatrixTable run={run} targets={page.targets} cases={cases} />
      {matrix.hasNextPage ? (
        <p>
          <button
            type="button"
            disabled={matrix.isFetchingNextPage}
            onClick={() => void matrix.fetchNextPage()}
          >
            Show more cases
          </button>
        </p>
      ) : null}
    </section>
  );
}

interface MatrixTableProps {
  readonly run: string;
  readonly targets: readonly string[];
  readonly cases: Cases['cases'];
}

function MatrixTable({ run, targets, cases }: MatrixTableProps) {
  const columns = ['Case', ...targets.map((target) => safeText(lineText(target, 60)))];
  return (
    <DataTable isLow label="Cases by target" narrow="matrix" columns={columns}>
      {cases.map(({ suite, case_id: id, case_name: name, cells }) => (
        <tr key={JSON.stringify([suite, id])}>
          <th scope="row">
            <CaseName id={id} name={name} />
          </th>
          {cells.map((cell, at) => (
            <td key={targets[at]}>
              {cell.map(({ number, status, repetition }) => (
                <Link
                  key={number}
                  className="cell"
                  to="/runs/$run/trials/$trial"
                  params={{ run, trial: String(number) }}
                  search={{ suite, test_case_id: id }}
                  aria-label={`repetition ${repetition}: ${status}`}
                >
                  <Mark status={status} />
                </Link>
              ))}
            </td>
          ))}
        </tr>
      ))}
    </DataTable>
  );
}
