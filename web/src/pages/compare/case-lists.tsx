import { Link } from '@tanstack/react-router';
import { useState } from 'react';

import { DataTable, numbers, type Column } from '../../parts/data-table.tsx';
import { CaseName } from '../../parts/name.tsx';
import { safeText } from '../../parts/safe-text.ts';
import type { ScoreScale } from '../../../../src/core/test-case.ts';
import type { Compared } from '../../compared.ts';
import type { ComparedCase, MovedCase, ComparedValue } from '../../../../src/core/run-comparison.ts';
import { differenceText, valueText } from './points.ts';

const FIRST = 50;

interface MovedTableProps {
  readonly title: string;
  readonly cases: readonly MovedCase[];
  /** By the id of a stored case. */
  readonly caseNames: Readonly<Record<string, string>>;
  readonly runs: Compared;
  readonly targets: { readonly base: string; readonly candidate: string };
  /** What the values are. */
  readonly on: ComparedValue;
  readonly scale: ScoreScale;
}

const COLUMNS: Readonly<Record<ComparedValue, readonly Column[]>> = {
  score: ['Case', ...['Base score', 'Candidate score', 'Difference'].map(numbers)],
  passed: ['Case', ...['Base passed', 'Candidate passed', 'Difference'].map(numbers)],
};

/** Cases that moved; each leads to its trials on both sides. */
export function MovedTable({ title, cases, caseNames, runs, targets, on, scale }: MovedTableProps) {
  const [isWhole, showWhole] = useState(false);
  if (cases.length === 0) return null;
  const name = `${title}: ${cases.length === 1 ? '1 case' : `${cases.length} cases`}`;
  return (
    <div className="part">
      <h3>{name}</h3>
      <DataTable label={name} columns={COLUMNS[on]}>
        {cases.slice(0, isWhole ? undefined : FIRST).map((moved) => (
          <tr key={JSON.stringify([moved.suite, moved.caseId])}>
            <th scope="row">
              <SidesLink runs={runs} targets={targets} moved={moved} caseNames={caseNames} />
            </th>
            <td className="number">{valueText({ on, scale }, moved.base)}</td>
            <td className="number">{valueText({ on, scale }, moved.candidate)}</td>
            <td className="number">{differenceText({ on, scale }, moved.difference)}</td>
          </tr>
        ))}
      </DataTable>
      {cases.length > FIRST && !isWhole ? (
        <button type="button" onClick={() => showWhole(true)}>
          Show all {cases.length} cases
        </button>
      ) : null}
    </div>
  );
}

interface SidesLinkProps {
  readonly runs: Compared;
  readonly targets: MovedTableProps['targets'];
  readonly moved: ComparedCase;
  readonly caseNames: MovedTableProps['caseNames'];
}

/** Leads to the trials of a case on both sides. */
function SidesLink({ runs, targets, moved: { suite, caseId }, caseNames }: SidesLinkProps) {
  return (
    <Link
      data-row
      to="/compare/trials"
      search={{
        ...runs,
        base_target: targets.base,
        candidate_target: targets.candidate,
        suite,
        test_case_id: caseId,
      }}
    >
      <CaseName id={caseId} name={caseNames[caseId] ?? null} />
    </Link>
  );
}

interface CaseListProps<Case extends ComparedCase> {
  readonly title: string;
  readonly cases: readonly Case[];
  /** By the id of a stored case. */
  readonly caseNames: Readonly<Record<string, string>>;
  readonly detail?: (one: Case) => string;
}

export function CaseList<Case extends ComparedCase>({
  title,
  cases,
  caseNames,
  detail,
}: CaseListProps<Case>) {
  if (cases.length === 0) return null;
  return (
    <details open={cases.length <= 10}>
      <summary>
        {title}: {cases.length}
      </summary>
      <ul className="plain-list">
        {cases.map((one) => (
          <li key={JSON.stringify([one.suite, one.caseId])}>
            <CaseName id={one.caseId} name={caseNames[one.caseId] ?? null} />{' '}
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
