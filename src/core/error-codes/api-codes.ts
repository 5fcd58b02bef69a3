import type { ExplainedCode } from './explained-code.ts';

/** Errors of the REST API. */
export const API_CODES = {
  'artifact-not-found': {
    meaning: 'The attempt has no such file, or the file is a link.',
    whatToDo: 'Take a name from `artifacts` of the trial.',
  },
  'attachment-not-found': {
    meaning: 'No stored text has this sha-256.',
    whatToDo: 'Take the sha-256 from `attachment` of a row or an entry.',
  },
  'cursor-mismatch': {
    meaning: 'The cursor belongs to a list with other filters.',
    whatToDo: 'Ask for the first page without a cursor when filters change.',
  },
  'host-not-allowed': {
    meaning: 'The `Host` header is not a name of this server.',
    whatToDo: 'Open the address that the server printed.',
  },
  internal: {
    meaning: 'Something went wrong inside the server.',
    whatToDo: 'Look at the output of the server.',
  },
  'invalid-cursor': {
    meaning: 'The cursor was not made by this server.',
    whatToDo: 'Use `next_cursor` of the previous page, unchanged.',
  },
  'invalid-parameter': {
    meaning: 'A parameter of the query has a value that is not allowed.',
    whatToDo: 'Correct the parameter that `param` names.',
  },
  'no-store': {
    meaning: 'The route needs a store, but this server only shows run directories.',
    whatToDo: 'Use a server that has a store.',
  },
  origin: {
    meaning: 'The request comes from a page of another origin.',
    whatToDo: 'Use the dashboard of this server.',
  },
  'read-only': {
    meaning: 'The server only shows runs and changes nothing.',
    whatToDo: 'Use the command line to change something.',
  },
  'unknown-parameter': {
    meaning: 'The route has no such parameter.',
    whatToDo: 'Compare it with the parameters in `openapi.json`.',
  },
  'unknown-route': {
    meaning: 'The API has no such address.',
    whatToDo: 'Compare it with the paths in `openapi.json`.',
  },
} as const satisfies Readonly<Record<string, ExplainedCode>>;
