import type { ExplainedCode } from './explained-code.ts';

/** Errors of the database. */
export const DATABASE_CODES = {
  'data-directory-in-use': {
    meaning: 'Another process has the embedded database open.',
    whatToDo: 'End the process that the message names, or use its server.',
  },
  'data-directory-other-version': {
    meaning: 'The data folder was written by another major version of PostgreSQL.',
    whatToDo: 'Export it with the version of assay that wrote it, and import it again.',
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
} as const satisfies Readonly<Record<string, ExplainedCode>>;
