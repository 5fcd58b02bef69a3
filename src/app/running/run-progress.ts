import type { Sink } from '../../core/log.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { OpenRun } from '../../core/run-store.ts';
import { given } from '../../lib/given.ts';
import { caseCounts } from '../../reading/case-counts.ts';
import type { SinkServices } from '../../sinks/plugin.ts';
import type { Earlier } from './earlier.ts';
import { rowlessEvents, type RowlessEvents } from './rowless-events.ts';

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
