import type { ErrorCode, QuotedCode } from '../core/error-code.ts';

/** What is wrong with a request. */
export interface Refused {
  readonly code: ErrorCode | QuotedCode;
  readonly message: string;
  /** The parameter that is wrong. */
  readonly param?: string;
  readonly hint?: string;
}

/** A request that is answered with an error. */
export class Refusal extends Error {
  readonly status: 400 | 403 | 404 | 405 | 409 | 415 | 422 | 500;
  readonly refused: Refused;

  constructor(status: Refusal['status'], refused: Refused) {
    super(refused.message);
    this.name = 'Refusal';
    this.status = status;
    this.refused = refused;
  }
}
