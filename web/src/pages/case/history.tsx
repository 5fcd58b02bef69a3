import { Link } from '@tanstack/react-router';

import type { TrialOfCaseResource } from '../../../../src/api/resources/test-case.ts';
import { UNJUDGED } from '../../../../src/reading/outcomes.ts';
import { scoreText } from '../../../../src/reading/phrases.ts';
import { useHistory } from '../../cases/queries.ts';
import { DataTable, numbers } from '../../parts/data-table.tsx';
import { Name } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { Empty, Failed, Loading } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import { useRowKeys } from '../../parts/use-keys.ts';
import { Verdict, type Status } from '../../parts/verdict.tsx';

const COLUMNS = ['Run', 'Target', 'Result', numbers('Score')];

/** The trials of a case in all runs, newest first. */
export function History({ id }: { readonly id: string }) {
  useRowKeys();
  const history = useHistory(id);
  const trials = history.data?.pages.flatMap(({ data }) => data) ?? [];
  const began = trials.map(({ started_at: at }) => at);
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      {history.isPending ? <Loading what="the history" /> : null}
      {history.isError ? <Failed error={history.error} /> : null}
      {history.data === undefined ? null : trials.length === 0 ? (
        <Empty>No run has used this test case yet.</Empty>
      ) : (
        <DataTable label="History" columns={COLUMNS}>
          {trials.map((trial) => (
            <TrialRow key={`${trial.run_id} ${trial.number}`} of={trial} among={began} />
          ))}
        </DataTable>
      )}
      {history.hasNextPage ? (
        <div>
          <button
            type="button"
            disabled={history.isFetchingNextPage}
            onClick={() => void history.fetchNextPage()}
          >
            Show older trials
          </button>
        </div>
      ) : null}
    </section>
  );
}

interface TrialRowProps {
  readonly of: TrialOfCaseResource;
  /** When the listed trials began. */
  readonly among: readonly (string | null)[];
}

function TrialRow({ of, among }: TrialRowProps) {
  return (
    <tr>
      <th scope="row" className="keep">
        <Link data-row to="/runs/$run/trials/$trial" params={{ run: of.run_id, trial: String(of.number) }}>
          {of.started_at === null ? safeText(of.run_id) : <Time at={of.started_at} among={among} />}
        </Link>
        <small className="mono">{safeText(of.run_id)}</small>
      </th>
      <td>
        <Name text={of.agent_version === null ? of.target : `${of.target}, version ${of.agent_version}`} />
        {of.repetition > 1 ? <small>repetition {of.repetition}</small> : null}
      </td>
      <td>
        {of.verdict === null ? <span className="quiet">not ended</span> : <Verdict status={statusOf(of)} />}
        {of.is_unjudged ? <small className="warns">{UNJUDGED}</small> : null}
      </td>
      <td className="number">{scoreText(of.score, 'percent')}</td>
    </tr>
  );
}

/** A trial that has ended has a status; a verdict is one, too. */
function statusOf({ status, verdict }: TrialOfCaseResource): Status {
  return (status ?? verdict ?? 'skipped') as Status;
}
