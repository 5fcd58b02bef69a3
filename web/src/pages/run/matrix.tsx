import { Link } from '@tanstack/react-router';

import type { Matrix as Cases } from '../../../../src/api/resources/matrix.ts';
import { safeText } from '../../parts/safe-text.ts';
import { Failed } from '../../parts/states.tsx';
import { Mark } from '../../parts/verdict.tsx';
import { useMatrix } from '../../queries.ts';

/** Cases against targets with a mark for each repetition; only where there is more than the list tells. */
export function Matrix({ run, state }: { readonly run: string; readonly state: string }) {
  const matrix = useMatrix(run, state);
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
        <button
          type="button"
          disabled={matrix.isFetchingNextPage}
          onClick={() => void matrix.fetchNextPage()}
        >
          Show more cases
        </button>
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
  return (
    <div className="scroll" tabIndex={0} role="group" aria-labelledby="matrix">
      <table className="matrix">
        <thead>
          <tr>
            <th scope="col">Case</th>
            {targets.map((target) => (
              <th key={target} scope="col">
                {safeText(target)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cases.map(({ suite, case_id: id, cells }) => (
            <tr key={JSON.stringify([suite, id])}>
              <th scope="row">{safeText(id)}</th>
              {cells.map((cell, at) => (
                <td key={targets[at]}>
                  {cell.map(({ number, status, repetition }) => (
                    <Link
                      key={number}
                      className="cell"
                      to="/runs/$run/trials/$trial"
                      params={{ run, trial: String(number) }}
                      search={{ test_case_id: id }}
                      aria-label={`repetition ${repetition}: ${status}`}
                    >
                      <Mark status={status} />
                    </Link>
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
