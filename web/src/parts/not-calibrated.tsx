import { Link } from '@tanstack/react-router';

import { useSession } from '../session/use-session.ts';

/** Said of a judge that was compared with no person. */
export const NOT_CALIBRATED = 'not calibrated';

/** What it means that a judge is not calibrated, and where to change that: once on a page. */
export function NotCalibrated({ run }: { readonly run: string }) {
  const hasStore = useSession() !== undefined;
  return (
    <p className="quiet">
      The judge is not calibrated: no person has checked yet how often it is right.{' '}
      {hasStore ? (
        <Link to="/review" search={{ run }}>
          Review some trials
        </Link>
      ) : null}
    </p>
  );
}
