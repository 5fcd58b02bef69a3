import type { RunReader, SinkServices } from '../../core/log.ts';
import type { Manifest } from '../../core/manifest.ts';
import type { RunFold } from '../../core/run-view.ts';
import type { OpenRun } from '../../core/run-store.ts';
import type { Presentation } from '../presentation.ts';

/** What sinks are to know of a run. */
export interface ShownRun {
  readonly run: Pick<OpenRun, 'run'>;
  readonly presentation: Presentation;
  readonly projectRoot: string;
  readonly placeOf?: SinkServices['placeOf'];
  readonly sourceOf?: SinkServices['sourceOf'];
  readonly lastSequence: number;
  readonly fold: RunFold;
}

/** What sinks of a run are made with; they see its manifest as it is closed, before it is written. */
export function sinkServices(
  { run, presentation, projectRoot, placeOf, sourceOf, lastSequence, fold }: ShownRun,
  {
    reader,
    closed,
  }: { readonly reader: RunReader; readonly closed: { readonly manifest: Manifest | undefined } },
): Omit<SinkServices, 'file'> {
  const { screen, verbosity, ci, surroundings } = presentation;
  const manifest: RunReader['manifest'] = () =>
    closed.manifest === undefined ? reader.manifest() : Promise.resolve(closed.manifest);
  return {
    reader: { ...reader, manifest },
    view: fold.view,
    seesAll: lastSequence === 0,
    screen,
    runDirectory: run.run.place,
    projectRoot,
    ...(placeOf === undefined ? {} : { placeOf }),
    ...(sourceOf === undefined ? {} : { sourceOf }),
    verbosity,
    ci,
    now: surroundings.now,
  };
}
