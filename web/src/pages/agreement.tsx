import { Link, useNavigate, useSearch } from '@tanstack/react-router';

import type { Calibration } from '../../../src/core/calibration.ts';
import { Back } from '../parts/back.tsx';
import { DataTable, numbers } from '../parts/data-table.tsx';
import { LongText } from '../parts/long-text.tsx';
import { Name } from '../parts/name.tsx';
import { safeText } from '../parts/safe-text.ts';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { useTitle } from '../parts/use-title.ts';
import { useAgreement, type Agreement } from '../review/queries.ts';
import { measuredText } from './agreement/measured-text.ts';
import { Reviewers } from './agreement/reviewers.tsx';

/** How far the graders of a run agree with its reviews, the most disputed ones first. */
export function AgreementPage() {
  useTitle('Agreement');
  const { run, seen } = useSearch({ from: '/review/agreement' });
  const navigate = useNavigate({ from: '/review/agreement' });
  return (
    <>
      <Back to="/review" search={run === undefined ? {} : { run }}>
        Review
      </Back>
      <h1>Agreement with the graders</h1>
      <div className="tools" role="group" aria-label="Filters">
        <label>
          <span>Reviews</span>
          <select
            value={seen ?? ''}
            onChange={({ target }) =>
              void navigate({
                search: { ...(run === undefined ? {} : { run }), ...seenIn(target.value) },
                replace: true,
              })
            }
          >
            <option value="">all</option>
            <option value="false">given before seeing the grades</option>
            <option value="true">given after seeing the grades</option>
          </select>
        </label>
      </div>
      {run === undefined ? <Empty>Choose a run on the page Review.</Empty> : <OfRun run={run} seen={seen} />}
    </>
  );
}

function seenIn(value: string): { readonly seen?: string } {
  return value === '' ? {} : { seen: value };
}

function OfRun({ run, seen }: { readonly run: string; readonly seen: string | undefined }) {
  const { data, error, isPending } = useAgreement(run, seen);
  if (isPending) return <Loading what="the agreement" />;
  if (error !== null) return <Failed error={error} />;
  const graders = data.graders.toSorted(
    (one, other) => missesOf(other.calibration) - missesOf(one.calibration),
  );
  const disagreements = graders.flatMap((grader) => grader.disagreements);
  return (
    <>
      <p className="quiet">
        Run {safeText(run)}. Of each grader, half of the reviewed cases are held out. Only their reviews count
        here.
      </p>
      {disagreements.length === 0 ? null : <Disagreements run={run} of={disagreements} />}
      {graders.length === 0 ? (
        <Empty>No grader of this run has a review that counts yet.</Empty>
      ) : (
        <Graders of={graders} />
      )}
      <Reviewers of={data.reviewers} />
      {Object.entries(data.unused).map(([reason, count]) => (
        <p key={reason} className="quiet">
          {count === 1 ? 'One review is' : `${count} reviews are`} not used: {safeText(reason)}
        </p>
      ))}
    </>
  );
}

function missesOf({ falsePasses, falseFails }: Calibration): number {
  return falsePasses + falseFails;
}

type Graders = Agreement['graders'];

function Disagreements({ run, of }: { readonly run: string; readonly of: Graders[number]['disagreements'] }) {
  return (
    <section aria-labelledby="disagreements">
      <h2 id="disagreements">Disagreements</h2>
      <ul className="list">
        {of.map(({ key, caseName, expectation, person, by, note, reason }) => (
          <li key={`${key} ${expectation} ${by}`}>
            <p>
              <Link to="/runs/$run/trials/$trial" params={{ run, trial: key }}>
                <Name text={`${expectation}: ${caseName ?? key}`} />
              </Link>
              {caseName === undefined ? null : <small className="mono">{safeText(key)}</small>}
            </p>
            <p>
              {safeText(by)} said {person}. {note === undefined ? '' : safeText(note)}
            </p>
            <LongText text={reason} most={600} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const COLUMNS = [
  'Grader',
  numbers('Agree'),
  'Kappa (95 % interval)',
  'Of what people passed, it passed',
  'Of what people failed, it failed',
  'Enough for a gate',
];

function Graders({ of }: { readonly of: Graders }) {
  return (
    <section aria-labelledby="graders">
      <h2 id="graders">Graders</h2>
      <DataTable label="Graders" columns={COLUMNS}>
        {of.map(({ calibration }) => {
          const { expectation, type, judge, pairs, kappa, sensitivity, specificity, notEnough } = calibration;
          return (
            <tr key={`${expectation} ${judge ?? ''}`}>
              <th scope="row">
                <Name text={expectation} />
                <small>{safeText(judge === undefined ? type : `${type}, judged by ${judge}`)}</small>
              </th>
              <td className="number">
                {pairs - missesOf(calibration)} of {pairs}
              </td>
              <td>{measuredText(kappa, 1)}</td>
              <td>{measuredText(sensitivity, 100)}</td>
              <td>{measuredText(specificity, 100)}</td>
              <td>{notEnough === undefined ? 'yes' : safeText(`no: ${notEnough}`)}</td>
            </tr>
          );
        })}
      </DataTable>
    </section>
  );
}
