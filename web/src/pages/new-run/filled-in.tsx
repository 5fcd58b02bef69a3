import { Link } from '@tanstack/react-router';

import { safeText } from '../../parts/safe-text.ts';
import type { Again } from './again.ts';

interface FilledInProps extends Pick<Again, 'more'> {
  /** Id of the earlier run. */
  readonly as: string;
}

/** Which earlier run the form is filled in as. */
export function FilledIn({ as: run, more }: FilledInProps) {
  const keys = Object.keys(more);
  return (
    <p className="note">
      Filled in as the run{' '}
      <Link className="mono" to="/runs/$run" params={{ run }}>
        {safeText(run)}
      </Link>
      {keys.length === 0 ? '' : `, also with its ${keys.join(', ')}`}. Cases and agents are taken as they are
      now.
    </p>
  );
}
