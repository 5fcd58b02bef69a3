import { Link } from '@tanstack/react-router';

import { useSettings } from '../session/use-session.ts';
import { Empty } from './states.tsx';

/** What to do where there are no runs: a server with a store has its own way to start one. */
export function NoRuns({ said = 'No runs here yet.' }: { readonly said?: string }) {
  if (useSettings().data?.mode !== 'serve') {
    return (
      <Empty>
        {said} Start one with <code>assay run</code>; it appears here while it is written.
      </Empty>
    );
  }
  return (
    <Empty>
      {said} <Link to="/cases/new">Write a test case</Link>, <Link to="/agents">add an agent</Link>, then{' '}
      <Link to="/runs/new">start a run</Link>.
    </Empty>
  );
}
