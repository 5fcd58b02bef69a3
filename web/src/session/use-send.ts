import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';

import { apiSender } from '../../../src/api/client.ts';
import { ask, BASE } from '../api.ts';
import { askWithCsrf } from './ask-with-csrf.ts';
import { sessionQuery } from './use-session.ts';

/** Sends what changes something. */
export function useSend() {
  const queries = useQueryClient();
  return useMemo(() => {
    const csrf = async () => (await queries.fetchQuery(sessionQuery)).csrf;
    const fresh = async () => (await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })).csrf;
    return apiSender(BASE, askWithCsrf(ask, { csrf, fresh }));
  }, [queries]);
}
