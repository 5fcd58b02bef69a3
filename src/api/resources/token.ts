import { z } from 'zod';

import { ROLES } from '../../core/access.ts';
import { ageSort, pageOf, pageQuery } from './page.ts';

const role = z.enum(ROLES);
const time = z.string().meta({ description: 'ISO 8601 with microseconds' });

/** An API token, without the token itself. */
export const token = z.object({
  id: z.string().meta({ description: 'a UUID' }),
  account_id: z.string(),
  email: z.string().meta({ description: 'e-mail of its account' }),
  name: z.string(),
  role: role.meta({ description: 'highest role of the token; the token can never do more than its account' }),
  expires_at: time.nullable().meta({ description: 'null: it does not expire' }),
  last_used_at: time.nullable().meta({ description: 'accurate to the minute' }),
  revoked_at: time.nullable(),
  created_at: time,
  state: z
    .enum(['active', 'expired', 'revoked'])
    .meta({ description: 'by the clock of the server; the account of an active token can be disabled' }),
});
export type TokenResource = z.infer<typeof token>;

export const createdToken = token.extend({
  token: z.string().meta({ description: 'the token itself, which is shown only now' }),
});

export const tokenBody = z.strictObject({
  account: z.string().optional().meta({ description: 'id or e-mail; default: your own account' }),
  name: z.string().meta({ description: 'says where the token is used' }),
  role: role
    .optional()
    .meta({ description: 'default: the role of the account, but never higher than your own role' }),
  expires_at: z.iso
    .datetime({ offset: true, error: 'write a time with its zone, such as 2026-01-31T09:30:00Z' })
    .optional()
    .meta({ description: 'default: it does not expire' }),
});

export const tokensQuery = z.strictObject({
  account: z
    .string()
    .optional()
    .meta({ description: 'id or e-mail; default: all accounts for admins, your own account for others' }),
  sort: ageSort,
  ...pageQuery,
});

export const tokens = pageOf(token);
