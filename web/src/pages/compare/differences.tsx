import { Link } from '@tanstack/react-router';

import { sideOf, type Compared } from '../../compared.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { LongText } from '../../parts/long-text.tsx';
import { safeText } from '../../parts/safe-text.ts';
import { useRun } from '../../queries.ts';
import { useSettings } from '../../session/use-session.ts';
import type { TargetComparison } from '../../../../src/core/run-comparison.ts';

interface DifferencesProps extends Pick<TargetComparison, 'differs' | 'targets'> {
  readonly runs: Compared;
}

/** What differs in the target, as far as its config and its versions say. */
export function Differences({ differs, targets, runs }: DifferencesProps) {
  if (differs.length === 0) {
    return (
      <p className="quiet">
        Nothing differs in the config and the versions of the target. A change inside its service does not
        show here.
      </p>
    );
  }
  return (
    <div className="part">
      <h3>What differs in the target</h3>
      <NewVersion runs={runs} targets={targets} />
      <DataTable label="What differs in the target" columns={['What', 'Base', 'Candidate']}>
        {differs.map(({ what, base, candidate }) => (
          <tr key={what}>
            <th scope="row" className="mono">
              {safeText(what)}
            </th>
            <Side value={base} />
            <Side value={candidate} />
          </tr>
        ))}
      </DataTable>
    </div>
  );
}

/** Where both sides are the same agent in two versions: leads to what differs between these. */
function NewVersion({ runs, targets }: Pick<DifferencesProps, 'runs' | 'targets'>) {
  const hasStore = useSettings().data?.mode === 'serve';
  const base = useAgentOf(runs.base, targets.base);
  const candidate = useAgentOf(runs.candidate, targets.candidate);
  if (base === undefined || candidate === undefined || base.id !== candidate.id) return null;
  if (base.version === candidate.version) return null;
  return (
    <p>
      The base is version {base.version} of the agent, and the candidate is version {candidate.version}.{' '}
      {hasStore ? (
        <Link
          to="/agents/$id"
          params={{ id: base.id }}
          search={{ from: base.version, version: candidate.version }}
          hash="difference"
        >
          Show the difference of the two versions
        </Link>
      ) : null}
    </p>
  );
}

function useAgentOf(side: string, target: string) {
  const { data: run } = useRun(sideOf(side).run);
  return run?.manifest?.targets.find(({ name }) => name === target)?.agent;
}

function Side({ value }: { readonly value: string | null }) {
  if (value === null) return <td className="quiet">absent</td>;
  return (
    <td>
      <LongText isCode text={value} most={300} />
    </td>
  );
}
