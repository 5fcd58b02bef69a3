import { z } from 'zod';

import { ROLES } from '../../core/access.ts';
import { ageSort, pageOf, pageQuery } from './page.ts';

const role = z.enum(ROLES);
const time = z.string().meta({ description: 'ISO 8601 with microseconds' });

/** Somebody who may use the server. */
export const account = z.object({
  id: z.string().meta({ description: 'a UUID' }),
  email: z.string().meta({ description: '`local`: everybody on a server without tokens' }),
  role,
  disabled_at: time.nullable().meta({ description: 'time from which its tokens are refused' }),
  created_at: time,
  updated_at: time,
});
export type AccountResource = z.infer<typeof account>;

export const accountBody = z.strictObject({ email: z.string(), role });

export const accountChange = z.strictObject({ role: role.optional(), disabled: z.boolean().optional() });

export const accountsQuery = z.strictObject({ sort: ageSort, ...pageQuery });

export const accounts = pageOf(account);
