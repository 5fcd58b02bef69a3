import { open } from 'node:fs/promises';

import type { QueryOf } from '../api/route.ts';
import type { Table } from '../api/table.ts';
import { caseExport } from '../app/export-cases.ts';
import { importBody, validateBody, type CaseBody } from '../app/import-body.ts';
import type { CaseStore } from '../core/case-store.ts';
import { spooledFile } from '../lib/files/spooled-file.ts';
import type { ServerLimits } from '../core/server-limits.ts';
import { bytesOf, type UploadedBody } from './body.ts';
import { selectorOf } from './case-resource.ts';
import { download } from './download.ts';
import { bodyProblems, inWordsOfApi } from './failure.ts';
import type { Handlers } from './operation.ts';

type FileHandlers = Pick<Handlers, 'importTestCases' | 'validateTestCases' | 'exportTestCases'>;

/** What files of test cases are read from and written to. */
export interface CaseFileRooms {
  readonly cases: CaseStore;
  readonly limits: Pick<ServerLimits, 'maxImportBytes' | 'maxImportDocumentBytes' | 'maxImportCases'>;
  /** Milliseconds since 1970. */
  now(): number;
}

/** Test cases as files. */
export function caseFileHandlers({ cases, limits, now }: CaseFileRooms): FileHandlers {
  const bodyOf = async ({ type, content }: UploadedBody, drop: readonly string[]): Promise<CaseBody> => {
    const extension = EXTENSIONS[type] ?? '.jsonl';
    const isLines = extension === '.jsonl';
    const bounds = isLines ? {} : { most: limits.maxImportDocumentBytes, hint: linesHint(limits) };
    return { bytes: await bytesOf(content, bounds), extension, drop };
  };
  return {
    importTestCases: async ({ query, upload, keyed }) => {
      const { on_conflict: onConflict, match, drop = [], dry_run: isDryRun } = query;
      const how = { onConflict, match, isDryRun, keyed, maxCases: limits.maxImportCases };
      return await importBody(cases, await bodyOf(upload, drop), how);
    },
    validateTestCases: async ({ upload }) => {
      const { cases: count, problems } = await validateBody(await bodyOf(upload, []));
      return {
        cases: count,
        problems: bodyProblems(problems).map((each) => ({ ...each, ...inWordsOfApi(each) })),
      };
    },
    exportTestCases: async ({ query }) => {
      const { format, ...selected } = query;
      const found = await spooledFile(async (file) => {
        await using opened = await open(file, 'w');
        const write = async (text: string): Promise<void> => void (await opened.appendFile(text));
        await caseExport(cases, selectorOf(selected), { format, now: now(), write });
      });
      return download({ name: `test-cases.${format}`, type: TYPES[format], ...found });
    },
  };
}

function linesHint({ maxImportBytes }: CaseFileRooms['limits']): string {
  return `send it as JSONL (application/jsonl), one test case a line: that may have ${maxImportBytes} bytes`;
}

const TYPES: Readonly<Record<QueryOf<Table['exportTestCases']>['format'], string>> = {
  json: 'application/json',
  jsonl: 'application/jsonl',
  yaml: 'application/yaml',
};

const EXTENSIONS: Readonly<Record<string, CaseBody['extension']>> = {
  'application/json': '.json',
  'application/yaml': '.yaml',
};
