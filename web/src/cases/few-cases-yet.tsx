import { Link } from '@tanstack/react-router';

import { fewestCases } from '../parts/fewest-cases.ts';
import { useMay } from '../session/use-session.ts';
import { useCases } from './queries.ts';

const ACTIVE = {};

/** How many more active cases are needed to show a change. Shows nothing if no case is active, or if enough are. */
export function FewCasesYet({ like }: { readonly like?: string }) {
  const { data } = useCases(ACTIVE);
  const mayWrite = useMay('member');
  const fewest = fewestCases();
  const active = data?.pages[0]?.data.length ?? 0;
  if (active === 0 || active >= fewest) return null;
  const advice = `Write ${fewest - active} more`;
  return (
    <p className="note">
      Fewer than {fewest} cases cannot show a change between two runs.{' '}
      {mayWrite ? (
        <Link to="/cases/new" search={like === undefined ? {} : { like }}>
          {advice}
        </Link>
      ) : (
        advice
      )}
      .
    </p>
  );
}
