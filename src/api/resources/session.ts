import { z } from 'zod';

import { ROLES } from '../../core/access.ts';

/** Who makes the requests of a browser or a program. */
export const session = z.object({
  account_id: z.string().meta({ description: 'a UUID' }),
  email: z.string().meta({ description: '`local`: everybody on a server without tokens' }),
  role: z.enum(ROLES).meta({ description: 'the lower of the roles of the account and the token' }),
  csrf: z
    .string()
    .nullable()
    .meta({ description: 'for `X-Assay-CSRF` of requests that change something; null: not needed' }),
  expires_at: z
    .string()
    .nullable()
    .meta({ description: 'ISO 8601 with microseconds; null: there is no browser session' }),
});
export type SessionResource = z.infer<typeof session>;

export const sessionBody = z.strictObject({
  token: z.string().meta({ description: 'an API token; the response sets the cookie `assay_session`' }),
});

export const endedSession = z.object({ ended: z.literal(true) });
