import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { RefusedError } from '../../../../src/api/client.ts';
import { messageOf } from '../../../../src/core/errors.ts';
import { askAgain } from '../../long-lists.ts';
import { isUnknownOutcome } from '../../session/unknown-outcome.ts';
import { useSend } from '../../session/use-send.ts';
import { caseFileOf, FormatError, type CaseFile } from './case-file.ts';
import { problemsOf, type ImportProblems } from './import-problems.ts';
import type { ImportReport } from './report.tsx';

export type OnConflict = 'error' | 'skip' | 'merge' | 'replace';

/** What the form holds. */
interface Chosen {
  readonly file: File | undefined;
  readonly onConflict: OnConflict;
}

/** What was checked is what is imported, as it was read then. */
interface Checked {
  readonly file: CaseFile;
  readonly onConflict: OnConflict;
  readonly report: ImportReport;
  /** An import that is sent again, such as after a lost answer, is the same import. */
  readonly key: string;
}

interface ImportState {
  readonly checked?: Checked;
  readonly done?: ImportReport;
  readonly problems?: ImportProblems;
  /** Why no answer came. */
  readonly unknown?: string;
}

type Step = 'checking' | 'writing';

const NOTHING: ImportState = {};

/** An answer is shown only together with its file and its choice. */
export function useImport(chosen: Chosen) {
  const send = useSend();
  const queries = useQueryClient();
  const [answered, setAnswered] = useState<{ readonly of: Chosen; readonly state: ImportState }>();
  const [busy, setBusy] = useState<{ readonly of: Chosen; readonly step: Step }>();
  const asked = useRef<Chosen>(undefined);
  const ask = async (step: Step, work: () => Promise<ImportState>) => {
    if (asked.current !== undefined && isSame(asked.current, chosen)) return;
    asked.current = chosen;
    setBusy({ of: chosen, step });
    const state = await work().catch((error: unknown) => failed(error));
    if (asked.current !== chosen) return;
    asked.current = undefined;
    setAnswered({ of: chosen, state });
    setBusy(undefined);
  };
  const post = async ({ file, onConflict }: Pick<Checked, 'file' | 'onConflict'>, key?: string) => {
    const query = { on_conflict: onConflict, ...(key === undefined ? { dry_run: 'true' } : {}) };
    const options = key === undefined ? {} : { idempotencyKey: key };
    const place = ['POST', '/test-cases/import'] as const;
    return (await send<'importTestCases'>(place, { path: {}, query, file }, options)).answer;
  };
  const check = async () => {
    const { file: picked, onConflict } = chosen;
    if (picked === undefined) return;
    await ask('checking', async () => {
      const file = await caseFileOf(picked);
      try {
        const report = await post({ file, onConflict });
        return { checked: { file, onConflict, report, key: crypto.randomUUID() } };
      } catch (error) {
        return failed(error, file);
      }
    });
  };
  const write = (checked: Checked) =>
    ask('writing', async () => {
      try {
        return { done: await post(checked, checked.key) };
      } catch (error) {
        return { ...failed(error, checked.file), ...(isUnknownOutcome(error) ? { checked } : {}) };
      } finally {
        askAgain(queries, [['cases'], ['case'], ['tags']]);
      }
    });
  const state = answered !== undefined && isSame(answered.of, chosen) ? answered.state : NOTHING;
  const step = busy !== undefined && isSame(busy.of, chosen) ? busy.step : undefined;
  return { check, write, state, step };
}

function failed(error: unknown, file?: CaseFile): ImportState {
  if (error instanceof FormatError) return { problems: { total: 1, texts: [error.message] } };
  if (error instanceof DOMException && error.name === 'NotReadableError') {
    return { unknown: 'The file was changed or removed after you chose it. Choose it again.' };
  }
  if (!(error instanceof RefusedError)) return { unknown: `The server did not answer: ${messageOf(error)}` };
  return isUnknownOutcome(error) ? { unknown: error.message } : { problems: problemsOf(error, file) };
}

function isSame(one: Chosen, other: Chosen): boolean {
  return one.file === other.file && one.onConflict === other.onConflict;
}
