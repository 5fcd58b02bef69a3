import { Link } from '@tanstack/react-router';

import type { TargetComparison } from '../../../../src/core/run-comparison.ts';
import { useSession } from '../../session/use-session.ts';
import { hasTooFewCases } from './too-few-cases.ts';

/** That a comparison has too few cases to show anything. */
export function FewCases({ of }: { readonly of: TargetComparison }) {
  const hasStore = useSession() !== undefined;
  if (!hasTooFewCases(of)) return null;
  const advice = 'Add more different cases';
  return (
    <p className="note">
      {hasStore ? <Link to="/cases/new">{advice}</Link> : advice}, and run both sides again. Repetitions of
      the same case do not help.
    </p>
  );
}
