import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import type { RunResource } from '../../../../src/api/resources/run.ts';
import { refusalTexts } from '../../session/refusal-texts.ts';

interface Done {
  /** What was done, such as "archived". */
  readonly what: string;
  readonly work: (run: RunResource) => Promise<unknown>;
}

/** False: something else is still being done, and this was not begun. */
export type DoForRuns = (runs: readonly RunResource[], done: Done) => Promise<boolean>;

const MOST_TOLD = 5;

/** Does something to one run after the other, and says what was refused and why. */
export function useDoForRuns() {
  const queries = useQueryClient();
  const isUnderWay = useRef(false);
  const [isBusy, setIsBusy] = useState(false);
  const [told, setTold] = useState('');
  const doFor: DoForRuns = async (runs, { what, work }) => {
    if (isUnderWay.current) return false;
    isUnderWay.current = true;
    setIsBusy(true);
    setTold('');
    const refused: string[] = [];
    for (const run of runs) {
      try {
        await work(run);
      } catch (error) {
        refused.push(`${run.id}: ${refusalTexts(error).join('; ')}.`);
      }
    }
    await Promise.all(
      [['runs'], ['run'], ['running']].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
    const more = refused.length > MOST_TOLD ? [`${refused.length - MOST_TOLD} more were refused.`] : [];
    const done = `${runs.length - refused.length} of ${runs.length} ${what}.`;
    setTold([done, ...refused.slice(0, MOST_TOLD), ...more].join(' '));
    isUnderWay.current = false;
    setIsBusy(false);
    return true;
  };
  return { doFor, isBusy, told };
}
