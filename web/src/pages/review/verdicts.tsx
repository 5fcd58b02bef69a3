import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import type { ReviewResource } from '../../../../src/api/resources/review.ts';
import type { SessionResource } from '../../../../src/api/resources/session.ts';
import type { WholeTrial } from '../../../../src/api/resources/trial.ts';
import type { Grade } from '../../../../src/core/grade.ts';
import type { Row } from '../../../../src/core/run.ts';
import { Failed, Loading } from '../../parts/states.tsx';
import { useTrial } from '../../queries.ts';
import { useReviews } from '../../review/queries.ts';
import { hasSeenGrades, noteSeenGrades } from '../../review/seen-grades.ts';
import { mayDecide } from '../trial/by-deciding.ts';
import { VerdictItem } from './verdict-item.tsx';

interface VerdictsProps {
  readonly run: string;
  readonly number: number;
  readonly session: SessionResource;
  /** The filters of the queue tell the grades. */
  readonly isTold: boolean;
}

/** Verdicts on the whole trial and on each expectation. A grade is shown once its verdict is given. */
export function Verdicts({ run, number, session, isTold }: VerdictsProps) {
  const trial = useTrial(run, String(number));
  const reviews = useReviews(run, String(number));
  if (trial.isError) return <Failed error={trial.error} />;
  if (reviews.isError) return <Failed error={reviews.error} />;
  if (trial.data === undefined || reviews.data === undefined) return <Loading what="your reviews" />;
  const own = reviews.data.filter(({ by, holds }) => by === session.email && holds);
  return <Expectations {...{ run, session, isTold, own }} trial={trial.data} />;
}

interface ExpectationsProps extends Omit<VerdictsProps, 'number'> {
  readonly trial: WholeTrial;
  readonly own: readonly ReviewResource[];
}

function Expectations({ run, session, isTold, trial, own }: ExpectationsProps) {
  const queries = useQueryClient();
  const place = { account: session.account_id, run, trial: trial.number };
  const [isShown, setIsShown] = useState(() => hasSeenGrades(place));
  const showAll = () => {
    noteSeenGrades(place);
    setIsShown(true);
  };
  const refresh = async () => {
    void queries.invalidateQueries({ queryKey: ['agreement', run] });
    await queries.invalidateQueries({ queryKey: ['reviews', run, String(trial.number)] });
  };
  const names = [...new Set(trial.row.grades.map(({ name }) => name))];
  const given = new Set(own.map(({ expectation }) => expectation));
  const isOpen = isTold || isShown;
  // The verdict of the run tells of all grades, and each grade tells of the verdict.
  const isRunShown = given.has(null) && names.every((name) => given.has(name));
  const hasSeenSome = names.some((name) => given.has(name));
  const { first, others } = byImportance(trial.row);
  const item = (expectation: string | null) => (
    <VerdictItem
      key={expectation ?? ''}
      run={run}
      trial={trial}
      expectation={expectation}
      own={own.find((review) => review.expectation === expectation)}
      isShown={isOpen || (expectation === null ? isRunShown : given.has(expectation))}
      hasSeen={isOpen || (expectation === null ? isRunShown || hasSeenSome : given.has(expectation))}
      onSaved={refresh}
    />
  );
  return (
    <section aria-labelledby="verdicts">
      <h2 id="verdicts">Your verdicts</h2>
      <ul className="list">{[null, ...first].map(item)}</ul>
      {others.length === 0 ? null : (
        <details>
          <summary>
            {others.length === 1
              ? '1 part that decides nothing'
              : `${others.length} parts that decide nothing`}
          </summary>
          <ul className="list">{others.map(item)}</ul>
        </details>
      )}
      {isOpen ? null : (
        <>
          <div>
            <button type="button" onClick={showAll}>
              Show all grades first
            </button>
          </div>
          <p className="quiet">Then your verdicts are kept as given after seeing the grades.</p>
        </>
      )}
    </section>
  );
}

/** Names of expectations that can decide the verdict, and of the others, in an order that tells no grade. */
function byImportance(row: Row): { readonly first: readonly string[]; readonly others: readonly string[] } {
  const namesOf = (grades: readonly Grade[]) => [...new Set(grades.map(({ name }) => name))];
  const first = namesOf(row.grades.filter((grade) => mayDecide(row, grade)));
  const others = namesOf(row.grades).filter((name) => !first.includes(name));
  return first.length === 0 ? { first: others, others: [] } : { first, others };
}
