import { queryOptions, useQuery } from '@tanstack/react-query';

import { covers, type Role } from '../../../src/core/access.ts';
import { asked } from '../asked.ts';

export function useSettings() {
  return useQuery({ ...asked<'getSettings'>(['settings'], '/settings', { path: {} }), staleTime: Infinity });
}

/** Who makes the requests of this browser. */
export const sessionQuery = queryOptions({
  ...asked<'getSession'>(['session'], '/session', { path: {} }),
  staleTime: Infinity,
});

/** Undefined until it is known, and where the server only shows runs. */
export function useSession() {
  const { data: settings } = useSettings();
  return useQuery({ ...sessionQuery, enabled: settings?.mode === 'serve' }).data;
}

/** Whether to offer what needs a role. The server decides. */
export function useMay(needed: Role): boolean {
  const session = useSession();
  return session !== undefined && covers(session.role, needed);
}
