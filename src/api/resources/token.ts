import { z } from 'zod';

import { ROLES } from '../../core/access.ts';
import { ageSort, pageOf, pageQuery } from './page.ts';

const role = z.enum(ROLES);
const time = z.string().meta({ description: 'ISO 8601 with microseconds' });

/** An API token, without the token itself. */
export const token = z.object({
  id: z.string().meta({ description: 'a UUID' }),
  account_id: z.string(),
  email: z.string().meta({ description: 'of its account' }),
  name: z.string(),
  role: role.meta({ description: 'it may do at most this, and at most what its account may' }),
  expires_at: time.nullable().meta({ description: 'null: it does not expire' }),
  last_used_at: time.nullable().meta({ description: 'to the minute' }),
  revoked_at: time.nullable(),
  created_at: time,
});
export type TokenResource = z.infer<typeof token>;

export const createdToken = token.extend({
  token: z.string().meta({ description: 'the token itself, which is shown only now' }),
});

export const tokenBody = z.strictObject({
  account: z.string().optional().meta({ description: 'id or e-mail; default: your own account' }),
  name: z.string().meta({ description: 'says where the token is used' }),
  role: role.optional().meta({ description: 'default: the role of the account, but at most yours' }),
  expires_at: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'default: it does not expire' }),
});

export const tokensQuery = z.strictObject({
  account: z
    .string()
    .optional()
    .meta({ description: 'id or e-mail; default: all accounts for admins, else your own' }),
  sort: ageSort,
  ...pageQuery,
});

export const tokens = pageOf(token);
