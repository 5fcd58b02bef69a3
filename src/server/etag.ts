import type { Route, Tagged } from '../api/route.ts';
import { Refusal } from './refusal.ts';

/** The headers of an answer with a version. */
export function taggedHeaders({
  version,
  location,
}: Omit<Tagged<unknown>, 'answer'>): Record<string, string> {
  return {
    ETag: `"${version}"`,
    ...(location === undefined ? {} : { Location: `/api/v1${location}` }),
  };
}

/** The version that `If-Match` names; undefined for `*`, and for routes that do not need it. Throws 428. */
export function expectedVersion({ ifMatch }: Route, { headers }: Request): string | undefined {
  if (ifMatch !== true) return undefined;
  const written = headers.get('if-match')?.trim();
  if (written === undefined || written === '') {
    throw new Refusal(428, {
      code: 'if-match-missing',
      message: 'the request needs an If-Match header',
      param: 'If-Match',
      hint: 'send the ETag that you received with the resource, or * to change any version of it',
    });
  }
  if (written === '*') return undefined;
  const [, version] = /^"([^"]*)"$/.exec(written) ?? [];
  if (version !== undefined) return version;
  throw new Refusal(400, {
    code: 'invalid-parameter',
    message: `If-Match: expected one ETag in quotes or *, got ${written}`,
    param: 'If-Match',
    hint: 'send the ETag of the resource, unchanged',
  });
}
