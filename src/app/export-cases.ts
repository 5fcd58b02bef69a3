import { SCHEMA_VERSION } from '../authoring/stored/schema.ts';
import type { CaseWithMocks, KeptCase } from '../core/case-store.ts';
import { refuseUnknownSet } from '../core/refuse-unknown-set.ts';
import type { CaseSelector } from '../core/run-options.ts';
import type { CaseReader } from './database.ts';
import { findStoredCase } from './find-stored-case.ts';
import { shownMock } from './test-cases.ts';

export type ExportFormat = 'json' | 'yaml' | 'jsonl';

/** Where the text of an export goes, part by part, and how it is written. */
export interface ExportChoice {
  readonly format: ExportFormat;
  /** Milliseconds since 1970. */
  readonly now: number;
  write(text: string): Promise<void>;
}

/** Writes cases with their ids, times and mocks, in a form that an import reads. Gives how many. */
export async function caseExport(
  store: CaseReader,
  selector: CaseSelector,
  { format, now, write }: ExportChoice,
): Promise<number> {
  await refuseUnknown(store, selector);
  const exportedAt = new Date(now).toISOString();
  const all: DocumentWithMocks[] = [];
  let count = 0;
  await store.takeWithMocks(selector, async (part) => {
    count += part.length;
    const documents = part.map(withDocument);
    // The other formats are one document, which an import reads as a whole.
    if (format === 'jsonl') await write(linesOf(documents, exportedAt));
    else all.push(...documents);
  });
  if (format !== 'jsonl') await write(await documentText(envelopeOf(all, exportedAt), format));
  return count;
}

interface DocumentWithMocks {
  readonly document: object;
  readonly mocks: readonly object[];
}

function withDocument(kept: CaseWithMocks): DocumentWithMocks {
  return {
    document: documentOf(kept),
    mocks: kept.mocks.map((mock) => ({ test_case_id: kept.id, ...shownMock(mock) })),
  };
}

function linesOf(cases: readonly DocumentWithMocks[], exportedAt: string): string {
  const lines = cases.map((each) =>
    each.mocks.length === 0 ? each.document : envelopeOf([each], exportedAt),
  );
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function documentText(envelope: object, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(envelope, undefined, 2)}\n`;
  const { stringify } = await import('yaml');
  return stringify(envelope);
}

/** A case as files have it. */
export function documentOf({ id, createdAt, updatedAt, fields }: KeptCase): object {
  return { id, ...fields, created_at: createdAt, updated_at: updatedAt };
}

/** Throws `case-not-found` for an id that no case has. */
export async function selectedCases(store: CaseReader, selector: CaseSelector): Promise<readonly KeptCase[]> {
  await refuseUnknown(store, selector);
  return await store.selected(selector);
}

async function refuseUnknown(store: CaseReader, selector: CaseSelector): Promise<void> {
  await refuseUnknownSet(store, selector);
  for (const id of selector.ids ?? []) await findStoredCase(store, id);
}

function envelopeOf(cases: readonly DocumentWithMocks[], exportedAt: string): object {
  const mocks = cases.flatMap((each) => each.mocks);
  return {
    format: 'assay-cases',
    schema_version: SCHEMA_VERSION,
    exported_at: exportedAt,
    count: cases.length,
    test_cases: cases.map(({ document }) => document),
    ...(mocks.length === 0 ? {} : { tool_mocks: mocks }),
  };
}
