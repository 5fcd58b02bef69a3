import { z } from 'zod';

import { pageQuery } from '../resources/page.ts';
import {
  casePreview,
  exportQuery,
  importQuery,
  importResult,
  lastVerdicts,
  lastVerdictsQuery,
  tags,
  testCase,
  testCaseBody,
  testCaseChange,
  testCases,
  testCasesQuery,
  toolMocks,
  toolMocksBody,
  trialsOfCase,
  validation,
} from '../resources/test-case.ts';
import { change, create, download, readStore, write, type Route } from '../route.ts';

/** A file of test cases. JSON and YAML are limited further by the import itself. */
const caseFile = {
  types: ['application/json', 'application/jsonl', 'application/x-ndjson', 'application/yaml'],
  maxBytes: 'import',
} as const;

/** The test cases of the store. */
export const caseRoutes = {
  listTestCases: readStore({
    path: '/test-cases',
    summary: 'Test cases, oldest first; without `status`, only active test cases',
    query: testCasesQuery,
    answer: testCases,
  }),
  createTestCase: create({
    path: '/test-cases',
    summary: 'Add a test case',
    body: testCaseBody,
    checksBody: true,
    answer: testCase,
    tagged: true,
  }),
  getTestCase: readStore({
    path: '/test-cases/{id}',
    summary: 'One test case',
    answer: testCase,
    tagged: true,
  }),
  changeTestCase: change({
    method: 'PATCH',
    path: '/test-cases/{id}',
    summary: 'Replace some fields of a test case',
    body: testCaseChange,
    checksBody: true,
    answer: testCase,
  }),
  replaceTestCase: change({
    method: 'PUT',
    path: '/test-cases/{id}',
    summary: 'Replace all fields of a test case',
    body: testCaseBody,
    checksBody: true,
    answer: testCase,
  }),
  archiveTestCase: change({
    method: 'DELETE',
    path: '/test-cases/{id}',
    summary: 'Archive a test case: runs skip it, and its history is kept',
    answer: testCase,
  }),
  getTestCaseMocks: readStore({
    path: '/test-cases/{id}/mocks',
    summary: 'The tool mocks of a test case, in the order in which they are tried',
    answer: toolMocks,
    tagged: true,
  }),
  replaceTestCaseMocks: change({
    method: 'PUT',
    path: '/test-cases/{id}/mocks',
    summary: 'Replace all tool mocks of a test case',
    body: toolMocksBody,
    answer: toolMocks,
  }),
  listTrialsOfTestCase: readStore({
    path: '/test-cases/{id}/trials',
    summary: 'The trials of a test case in all runs, newest run first',
    query: z.strictObject(pageQuery),
    answer: trialsOfCase,
  }),
  listLastVerdicts: readStore({
    path: '/test-cases/last-verdicts',
    summary: 'How several test cases went in their last runs, newest run first',
    query: lastVerdictsQuery,
    answer: lastVerdicts,
  }),
  importTestCases: write({
    method: 'POST',
    path: '/test-cases/import',
    summary: 'Import all test cases of a file, or none if one has a problem',
    query: importQuery,
    upload: caseFile,
    answer: importResult,
    idempotent: true,
  }),
  validateTestCases: write({
    method: 'POST',
    path: '/test-cases/validate',
    summary: 'Check the test cases of a file without writing them',
    upload: caseFile,
    answer: validation,
  }),
  previewTestCase: write({
    method: 'POST',
    path: '/test-cases/preview',
    summary:
      'What counts as passing a test case, and what the simulated user and the judge would be told of it, without writing it',
    body: testCaseBody,
    checksBody: true,
    answer: casePreview,
  }),
  exportTestCases: download({
    path: '/test-cases/export',
    summary: 'Test cases with their mocks, as a file that an import reads',
    query: exportQuery,
    needs: 'store',
  }),
  listTags: readStore({
    path: '/test-cases/tags',
    summary: 'The tags of all test cases, the most frequent first',
    answer: tags,
  }),
} as const satisfies Readonly<Record<string, Route>>;
