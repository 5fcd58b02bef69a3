import { Link } from '@tanstack/react-router';

import { useSettings } from '../session/use-session.ts';
import { Empty } from './states.tsx';

/** What to do where there are no runs: a server with a store has its own way to start one. */
export function NoRuns({ said = 'No runs here yet.' }: { readonly said?: string }) {
  const { mode, targets = [] } = useSettings().data ?? {};
  if (mode !== 'serve') {
    return (
      <Empty>
        {said} Start one with <code>assay run</code>; it appears here while it is written.
      </Empty>
    );
  }
  return (
    <Empty>
      {said} <Link to="/cases/new">Write a test case</Link>,{' '}
      {targets.length === 0 ? (
        <>
          <Link to="/agents">add an agent</Link>,{' '}
        </>
      ) : null}
      then <Link to="/runs/new">start a run</Link>.
    </Empty>
  );
}
