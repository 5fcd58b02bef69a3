import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { runQuery } from '../../queries.ts';
import { againOf } from './again.ts';

/** Opens the plan of an earlier run, with its agent in the newest version, or with the agent of this id instead. */
export function useRunAgain(run: string | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (agent: string) => {
    if (run === undefined) return;
    const { search } = againOf(await queries.ensureQueryData(runQuery(run))) ?? {};
    await navigate({ to: '/runs/new', search: { ...search, again: run, agent } });
  };
}
