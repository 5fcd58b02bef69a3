import type { ExplainedCode } from './explained-code.ts';

/** Errors of the database. */
export const DATABASE_CODES = {
  'bytes-differ': {
    meaning: 'The uploaded bytes do not have the expected sha-256.',
    whatToDo: 'Upload the run again.',
  },
  'bytes-not-awaited': {
    meaning: 'The server did not ask for this file: no uploaded run refers to it.',
    whatToDo: 'Upload the run first. The response lists the missing files. Then send these files.',
  },
  'bytes-too-large': {
    meaning: 'A file of an uploaded run is larger than 64 MB. The store does not accept such a file.',
    whatToDo: 'Keep the file in the run directory or elsewhere. The other files of the run are uploaded.',
  },
  'data-directory-in-use': {
    meaning: 'Another process has the embedded database open.',
    whatToDo: 'End the process that the message names, or use its server.',
  },
  'data-directory-other-version': {
    meaning: 'The data folder was written by another major version of PostgreSQL.',
    whatToDo: 'Export the data with the version of assay that wrote it, and import the data again.',
  },
  'database-newer': {
    meaning: 'The database was migrated by a newer version of assay.',
    whatToDo: 'Update assay.',
  },
  'database-outdated': {
    meaning: 'The database lacks migrations of this version of assay.',
    whatToDo: 'Run `assay db migrate`.',
  },
  'database-too-old': {
    meaning: 'The PostgreSQL server is older than version 15.',
    whatToDo: 'Use PostgreSQL 15 or newer.',
  },
  'database-unreachable': {
    meaning: 'The database cannot be opened.',
    whatToDo: 'Check `DATABASE_URL` and the server, or the permissions of `.assay/data`.',
  },
  'embedded-database-missing': {
    meaning: 'The package of the embedded database is not installed.',
    whatToDo: 'Install `@electric-sql/pglite`, or set `DATABASE_URL`.',
  },
  'lease-lost': {
    meaning: 'Another process has taken over this run.',
    whatToDo: 'Let that process finish the run.',
  },
  'migration-changed': {
    meaning: 'A migration in the database differs from the one in this version of assay.',
    whatToDo: 'Use the version of assay that migrated the database, or restore a backup.',
  },
  'no-workers': {
    meaning: 'Workers need a PostgreSQL server, but `DATABASE_URL` names none.',
    whatToDo: 'Set `DATABASE_URL` to a PostgreSQL server (15 or newer).',
  },
  'run-differs': {
    meaning: 'The store already has a run with this id, and it differs from the run that you upload.',
    whatToDo: 'Restore the run directory as it was at the first upload.',
  },
  'run-not-here': {
    meaning: 'An uploaded run can only be continued where it was started.',
    whatToDo: 'Resume or grade the run directory, and upload it again.',
  },
  'store-served': {
    meaning: 'The command needs direct access to the database, but a running server uses the database.',
    whatToDo: 'Use the API or the dashboard of the server, or stop it first.',
  },
  'upload-invalid': {
    meaning: 'A line of the upload is not valid, or the upload was cut off.',
    whatToDo: 'Upload the run directory again with `assay upload RUN`.',
  },
} as const satisfies Readonly<Record<string, ExplainedCode>>;
