import { messageOf } from '../../core/errors.ts';
import type { StoredRun } from '../../core/run-store.ts';
import type { RunSite } from '../conduct/run-site.ts';
import type { ServerApi } from './server-api.ts';

/** Cancels a run of a server when this command is asked to stop. Returns how to stop listening. */
export function cancelOnStop(
  { name: run }: StoredRun,
  api: ServerApi,
  { interrupt: { stop }, presentation: { screen } }: RunSite,
): () => void {
  const cancel = () => {
    const asked = api.send((send) =>
      send<'cancelRun'>(['POST', '/runs/{run}/cancel'], { path: { run }, body: {} }),
    );
    // A run that has ended meanwhile is shown as it is.
    void asked.catch((error: unknown) => screen.write(`could not cancel the run: ${messageOf(error)}\n`));
  };
  stop.addEventListener('abort', cancel, { once: true });
  if (stop.aborted) cancel();
  return () => stop.removeEventListener('abort', cancel);
}
