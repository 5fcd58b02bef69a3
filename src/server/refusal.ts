import type { ErrorCode, QuotedCode } from '../core/error-code.ts';

/** The error of a refused request. */
export interface Refused {
  readonly code: ErrorCode | QuotedCode;
  readonly message: string;
  /** The wrong parameter. */
  readonly param?: string;
  readonly hint?: string;
}

/** Thrown to answer a request with an error. */
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
