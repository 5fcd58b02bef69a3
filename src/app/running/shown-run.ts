import type { Manifest } from '../../core/manifest.ts';
import type { OpenRun } from '../../core/run-store.ts';
import { given } from '../../lib/given.ts';
import type { CaseCounts } from '../../reading/case-counts.ts';
import type { RunFold } from '../../reading/run-view.ts';
import type { SinkServices } from '../../sinks/plugin.ts';

/** The part of a run that sinks can read. They see the final manifest before it is written. */
export type ShownRun = Pick<SinkServices, 'reader' | 'view' | 'cases' | 'runDirectory' | 'storedAs'>;

/** The final manifest without secrets. Reports use it before run.json is written. */
export interface Closed {
  manifest: Manifest | undefined;
}

export function shownRun(
  { run: { stored: run }, fold }: { readonly run: Pick<OpenRun, 'stored'>; readonly fold: RunFold },
  cases: CaseCounts | undefined,
  closed: Closed,
): ShownRun {
  const manifest = () => (closed.manifest === undefined ? run.manifest() : Promise.resolve(closed.manifest));
  return {
    reader: { ...run, manifest },
    view: fold.view,
    ...given({ cases }),
    runDirectory: run.place,
    ...(run.isWithoutFiles === true ? { storedAs: run.reference } : {}),
  };
}
