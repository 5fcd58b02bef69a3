import { AssayError } from '../core/errors.ts';

/** The error of what is asked of a server that has begun to stop. */
export function serverStopping(): AssayError {
  return new AssayError('server-stopping', 'the server is stopping', {
    stage: 'plan',
    hint: 'send the request again when the server is back',
  });
}
