import type { ExplainedCode } from './explained-code.ts';

/** Errors of the REST API. */
export const API_CODES = {
  'agent-not-found': {
    meaning: 'The store has no agent with this id.',
    whatToDo: '`GET /agents` lists the agents with their ids.',
  },
  'agent-version-not-found': {
    meaning: 'The agent has no such version.',
    whatToDo: '`GET /agents/{id}/versions` lists the numbers.',
  },
  'artifact-not-found': {
    meaning: 'The attempt has no such file, or the file is a link.',
    whatToDo: 'Take a name from `artifacts` of the trial.',
  },
  'attachment-not-found': {
    meaning: 'The run has no attachment with this sha-256.',
    whatToDo: 'Use the value of `attachment` in a row of `results.jsonl` or in a log entry of the same run.',
  },
  'baseline-not-found': {
    meaning: 'There is no baseline with this id.',
    whatToDo: '`GET /baselines` lists the baselines with their ids.',
  },
  'body-stands-still': {
    meaning: 'No data of the request body arrived for a minute.',
    whatToDo: 'Check the connection, and send the request again.',
  },
  'body-too-large': {
    meaning: 'The body of the request is larger than the server accepts.',
    whatToDo: 'Send less in one request.',
  },
  csrf: {
    meaning: 'A request with a browser session has no valid `X-Assay-CSRF` header.',
    whatToDo: 'Send the value of `csrf` from `GET /session` in this header.',
  },
  'cursor-mismatch': {
    meaning: 'The cursor belongs to a list with other filters.',
    whatToDo: 'Ask for the first page without a cursor when filters change.',
  },
  'duplicate-member': {
    meaning: 'A test case is in the list of members twice, or is already in the set.',
    whatToDo: 'List each test case once. Leave out test cases that are already in the set.',
  },
  forbidden: {
    meaning: 'Your account or token may not do this.',
    whatToDo: 'Ask an admin for another role or token.',
  },
  'grading-not-found': {
    meaning: 'The run in `grading` was not made by grading the requested run again.',
    whatToDo: 'Take an id from `GET /runs?source_run_id=` with the id of this run.',
  },
  'headers-late': {
    meaning: 'The headers of the request did not arrive within a minute.',
    whatToDo: 'Check the connection, and send the request again.',
  },
  'headers-too-large': {
    meaning: 'The headers of the request are larger than the server accepts.',
    whatToDo: 'Send less than 16 kB of headers.',
  },
  'host-not-allowed': {
    meaning: 'The `Host` header is not a name of this server.',
    whatToDo: 'Open the address that the server printed.',
  },
  'http-syntax': {
    meaning: 'The request is not valid HTTP.',
    whatToDo: 'Send it with an HTTP client.',
  },
  'idempotency-mismatch': {
    meaning: 'The `Idempotency-Key` was used for another request.',
    whatToDo: 'Use a new key for each request.',
  },
  'idempotency-running': {
    meaning: 'The first request with this `Idempotency-Key` is still running.',
    whatToDo: 'Send the request again later.',
  },
  'if-match-missing': {
    meaning: 'The change needs an `If-Match` header.',
    whatToDo: 'Send the `ETag` that you received with the resource. `*` matches any version.',
  },
  internal: {
    meaning: 'Something went wrong inside the server.',
    whatToDo: 'Look at the output of the server.',
  },
  'invalid-body': {
    meaning: 'The body of the request has several mistakes.',
    whatToDo: 'Correct what `problems` lists.',
    says: ['{the first mistake} (and {number} more, see `problems`)'],
  },
  'invalid-cursor': {
    meaning: 'The cursor was not made by this server.',
    whatToDo: 'Use `next_cursor` of the previous page, unchanged.',
  },
  'invalid-parameter': {
    meaning: 'A parameter or a header of the request has a value that is not allowed.',
    whatToDo: 'Correct the parameter that `param` names.',
    says: ['{parameter}={value}: {what is wrong with it}'],
  },
  'media-type': {
    meaning: 'The `Content-Type` of the request is missing, or the route does not take it.',
    whatToDo: 'Send one of the types that the hint names, usually `application/json`.',
  },
  'member-not-found': {
    meaning: 'The test case is not a member of the set.',
    whatToDo: '`GET /case-sets/{id}/members` lists the members.',
  },
  'method-not-allowed': {
    meaning: 'The address does not take this method.',
    whatToDo: 'Use a method of the `Allow` header.',
  },
  'metric-exists': {
    meaning: 'A metric with this id already exists in the store, in the config, or as a built-in metric.',
    whatToDo: 'Choose another id. To change a metric of the store, use PUT.',
  },
  'metric-not-found': {
    meaning: 'The store has no metric with this id.',
    whatToDo: 'Take an id from `GET /metrics`.',
  },
  'name-taken': {
    meaning: 'Another set, another agent, or a target in the config has this name.',
    whatToDo: 'Choose another name.',
  },
  'no-session': {
    meaning: 'The request to sign out has no session cookie.',
    whatToDo: 'Send the cookie `assay_session`, and no `Authorization` header.',
  },
  'no-store': {
    meaning: 'The route needs a store, but this server only shows run directories.',
    whatToDo: 'Start a server that has a store: `assay serve`.',
  },
  origin: {
    meaning: 'The request comes from a page of another origin.',
    whatToDo: 'Use the dashboard of this server.',
  },
  'rate-limited': {
    meaning: 'Too many requests were sent within a minute.',
    whatToDo: 'Wait as long as the `Retry-After` header says.',
  },
  'read-only': {
    meaning: 'The server only shows runs and changes nothing.',
    whatToDo: 'Start a server that has a store (`assay serve`), or use the command line.',
  },
  'run-not-completed': {
    meaning: 'Only a completed run can be a baseline.',
    whatToDo: 'Choose another run, or resume this one.',
  },
  'server-stopping': {
    meaning: 'The server is stopping, so it starts no new run.',
    whatToDo: 'Send the request again when the server is back.',
  },
  'set-not-found': {
    meaning: 'The store has no set with this id.',
    whatToDo: '`GET /case-sets` lists the sets with their ids.',
  },
  'sign-in-not-needed': {
    meaning: 'The request asks for a session, but this server runs without authentication.',
    whatToDo: 'Use the server without a session, or start it with `--auth token`.',
  },
  stale: {
    meaning: 'The resource was changed after you read it.',
    whatToDo: 'Apply your change to `error.current`, and send it with the current `ETag`.',
  },
  unauthorized: {
    meaning: 'The request has no token or session, or the token is unknown, expired or revoked.',
    whatToDo:
      'Send `Authorization: Bearer TOKEN`. In the dashboard, sign in again. On the command line, set `ASSAY_TOKEN`.',
  },
  'unknown-expectation': {
    meaning: 'The trial has no grade of this name.',
    whatToDo: 'Take a name from the grades of the trial. To review the whole trial, leave out the name.',
  },
  'unknown-parameter': {
    meaning: 'The route has no such parameter.',
    whatToDo: 'Compare the parameter with those in `openapi.json`.',
  },
  'unknown-route': {
    meaning: 'The API has no such address.',
    whatToDo: 'Compare the address with the paths in `openapi.json`.',
  },
} as const satisfies Readonly<Record<string, ExplainedCode>>;
