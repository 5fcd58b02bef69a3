/** A connection that was not made, because of the address it would have led to. */
export class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

/** The one behind a failed request, however it was wrapped on the way. */
export function forbiddenAddressIn(error: unknown): ForbiddenAddress | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < MOST_CAUSES; depth++) {
    if (cause instanceof ForbiddenAddress) return cause;
    cause = cause.cause;
  }
  return undefined;
}

const MOST_CAUSES = 6;
