import { Link } from '@tanstack/react-router';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { useMay } from '../../session/use-session.ts';
import { againOf } from '../new-run/again.ts';

/** Leads to a changed version of the only agent of a run, and from there to the same run with it. */
export function ChangeAgent({ run }: { readonly run: RunResource | undefined }) {
  const mayWrite = useMay('member');
  const [target, ...others] = run?.manifest?.targets ?? [];
  if (run === undefined || target === undefined || others.length > 0) return null;
  if (!mayWrite || againOf(run) === undefined) return null;
  if (target.agent === undefined) {
    return (
      <Link className="button" to="/agents/new" search={{ target: target.name, again: run.id }}>
        Change the agent
      </Link>
    );
  }
  return (
    <Link
      className="button"
      to="/agents/$id/versions/new"
      params={{ id: target.agent.id }}
      search={{ again: run.id }}
    >
      Change the agent
    </Link>
  );
}
