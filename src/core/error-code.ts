import type { ACCESS_CODES } from './error-codes/access-codes.ts';
import type { API_CODES } from './error-codes/api-codes.ts';
import type { COMMAND_CODES } from './error-codes/command-codes.ts';
import type { CONFIG_CODES } from './error-codes/config-codes.ts';
import type { DATABASE_CODES } from './error-codes/database-codes.ts';
import type { ERROR_DETAILS } from './error-codes/error-details.ts';
import type { ERROR_KINDS } from './error-codes/error-kinds.ts';
import type { SANDBOX_CODES } from './error-codes/sandbox-codes.ts';
import type { SUITE_CODES } from './error-codes/suite-codes.ts';

/** The code of an error: kebab-case, stable, declared in one of the tables. */
export type ErrorCode =
  | ErrorKind
  | ErrorDetail
  | ProblemCode
  | keyof typeof COMMAND_CODES
  | keyof typeof DATABASE_CODES
  | keyof typeof ACCESS_CODES
  | keyof typeof API_CODES;

/** The code of a mistake in a config, an eval file, a suite or a stored case. */
export type ProblemCode =
  | keyof typeof CONFIG_CODES
  | keyof typeof SANDBOX_CODES
  | keyof typeof SUITE_CODES
  | Extract<keyof typeof COMMAND_CODES, 'run-not-found'>;

/** Why a trial could not be measured: a closed list, stable in rows and reports. */
export type ErrorKind = keyof typeof ERROR_KINDS;

export type ErrorDetail = keyof typeof ERROR_DETAILS;

/** A code taken from elsewhere: an HTTP status, or a system error in lower case. */
export type QuotedCode = `http-${number | 'unknown'}` | SystemCode;

/** The error code of Node in lower case: `econnrefused`. */
export type SystemCode = string & { readonly [SYSTEM]: true };

declare const SYSTEM: unique symbol;
