import type { Sink } from '../../core/log.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { OpenRun } from '../../core/run-store.ts';
import { given } from '../../lib/given.ts';
import { caseCounts } from '../../reading/case-counts.ts';
import type { SinkServices } from '../../sinks/plugin.ts';
import type { Earlier } from './earlier.ts';
import type { RunEvent } from '../../core/run.ts';

/** What is known of a run while it is executed. */
export interface RunProgress {
  /** The state before, with all events since. */
  readonly earlier: Earlier;
  readonly rowless: RowlessEvents;
  /** Counts every event before other sinks get it. */
  readonly tally: Sink;
  /** The part of the run that sinks can read. */
  readonly shown: Pick<SinkServices, 'reader' | 'view' | 'cases' | 'runDirectory' | 'storedAs'>;
  /** Shows sinks the final manifest (without secrets) before it is written. */
  close(manifest: Manifest): void;
}

export function openProgress({ stored: run }: Pick<OpenRun, 'stored'>, earlier: Earlier): RunProgress {
  const { fold, distrust, lastSequence } = earlier;
  const cases = lastSequence === 0 ? caseCounts() : undefined;
  let closed: Manifest | undefined;
  return {
    earlier,
    rowless: rowlessEvents(),
    tally: {
      name: 'tally',
      write: (event) => {
        fold.apply(event);
        if (event.fact.type !== 'trial-end') return;
        cases?.add(event.fact.row);
        distrust.add(event.fact.row);
      },
    },
    shown: {
      reader: { ...run, manifest: async () => closed ?? (await run.manifest()) },
      view: fold.view,
      ...given({ cases }),
      runDirectory: run.place,
      ...(run.isWithoutFiles === true ? { storedAs: run.reference } : {}),
    },
    close: (manifest) => void (closed = manifest),
  };
}

/** Most events in run.json, which is always read completely. Further events are only in the log. */
const MOST_EVENTS = 200;

/** Collects events that are in no row: about the run, and about trials that had ended. */
interface RowlessEvents {
  readonly sink: Sink;
  /** Undefined if there are too many. */
  events(): readonly RunEvent[] | undefined;
}

function rowlessEvents(): RowlessEvents {
  const running = new Set<string>();
  const kept: RunEvent[] = [];
  const isRowless = ({ trial, fact }: RunEvent): boolean => {
    if (trial === undefined) return fact.type !== 'run-state' || fact.money === undefined;
    return fact.type === 'note' && !running.has(trial);
  };
  return {
    sink: {
      name: 'rowless-events',
      write(event) {
        const { trial, fact } = event;
        if (trial !== undefined && fact.type === 'trial-start') running.add(trial);
        if (trial !== undefined && fact.type === 'trial-end') running.delete(trial);
        if (kept.length <= MOST_EVENTS && isRowless(event)) kept.push(event);
      },
    },
    events: () => (kept.length > MOST_EVENTS ? undefined : kept),
  };
}
