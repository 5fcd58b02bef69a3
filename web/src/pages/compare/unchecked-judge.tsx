import { Link } from '@tanstack/react-router';

import { sideOf, type Compared } from '../../compared.ts';
import { NOT_CALIBRATED } from '../../parts/not-calibrated.tsx';
import { useRun } from '../../queries.ts';
import { useSession } from '../../session/use-session.ts';

/** That the verdict of a comparison is only as good as a judge whom no person has checked. */
export function UncheckedJudge({ of: { base, candidate } }: { readonly of: Compared }) {
  const sides = [useRun(sideOf(base).run), useRun(sideOf(candidate).run)];
  const hasStore = useSession() !== undefined;
  if (sides.every(({ data }) => data?.judging?.says !== NOT_CALIBRATED)) return null;
  return (
    <p className="unchecked">
      This rests on a judge that is not calibrated: no person has checked yet how often it is right.{' '}
      {hasStore ? (
        <Link to="/review" search={{ run: sideOf(candidate).run }}>
          Review some trials
        </Link>
      ) : null}
    </p>
  );
}
