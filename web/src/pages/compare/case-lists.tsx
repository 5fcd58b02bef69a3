import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { percentText } from '../../../../src/reading/phrases.ts';
import { safeText } from '../../parts/safe-text.ts';
import type { Compared } from '../../queries.ts';
import type { CaseName, MovedCase } from './comparison.ts';
import { pointsText } from './points.ts';

const FIRST = 50;

interface MovedTableProps {
  readonly title: string;
  readonly cases: readonly MovedCase[];
  readonly runs: Compared;
  readonly targets: { readonly base: string; readonly candidate: string };
}

/** Cases that moved, each with its trials on both sides. */
export function MovedTable({ title, cases, runs, targets }: MovedTableProps) {
  const [isWhole, showWhole] = useState(false);
  if (cases.length === 0) return null;
  const name = `${title}: ${cases.length === 1 ? '1 case' : `${cases.length} cases`}`;
  return (
    <>
      <h3>{name}</h3>
      <div className="scroll" tabIndex={0} role="group" aria-label={name}>
        <table>
          <thead>
            <tr>
              <th scope="col">Case</th>
              <th scope="col">Base</th>
              <th scope="col">Candidate</th>
              <th scope="col">Difference</th>
            </tr>
          </thead>
          <tbody>
            {cases
              .slice(0, isWhole ? undefined : FIRST)
              .map(({ suite, caseId, base, candidate, difference }) => (
                <tr key={JSON.stringify([suite, caseId])}>
                  <th scope="row">{safeText(caseId)}</th>
                  <td>
                    <TrialsLink run={runs.base} target={targets.base} caseId={caseId} value={base} />
                  </td>
                  <td>
                    <TrialsLink
                      isRow
                      run={runs.candidate}
                      target={targets.candidate}
                      caseId={caseId}
                      value={candidate}
                    />
                  </td>
                  <td>{pointsText(difference)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      {cases.length > FIRST && !isWhole ? (
        <button type="button" onClick={() => showWhole(true)}>
          Show all {cases.length} cases
        </button>
      ) : null}
    </>
  );
}

interface TrialsLinkProps {
  readonly run: string;
  readonly target: string;
  readonly caseId: string;
  readonly value: number;
  readonly isRow?: true;
}

function TrialsLink({ run, target, caseId, value, isRow }: TrialsLinkProps) {
  return (
    <Link
      data-row={isRow}
      to="/runs/$run"
      params={{ run: run.split('#')[0] ?? run }}
      search={{ target, test_case_id: caseId }}
      hash="trials"
    >
      {percentText(value)}
    </Link>
  );
}

interface CaseListProps<Case extends CaseName> {
  readonly title: string;
  readonly cases: readonly Case[];
  readonly detail?: (one: Case) => string;
}

export function CaseList<Case extends CaseName>({ title, cases, detail }: CaseListProps<Case>) {
  if (cases.length === 0) return null;
  return (
    <details open={cases.length <= 10}>
      <summary>
        {title}: {cases.length}
      </summary>
      <ul>
        {cases.map((one) => (
          <li key={JSON.stringify([one.suite, one.caseId])}>
            {safeText(one.caseId)}{' '}
            <span className="quiet">
              {safeText(one.suite)}
              {detail === undefined ? '' : ` · ${safeText(detail(one))}`}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
