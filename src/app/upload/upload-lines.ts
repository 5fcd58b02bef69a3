import { readUploadLine, type UploadLine } from '../../core/run-upload.ts';
import type { StoredRun } from '../../core/run-store.ts';
import type { RunFiles } from './run-files.ts';

/** What a person gives a run that is uploaded. */
export interface UploadChoice {
  readonly line?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/** A run as it is now, even while it is written. A directory may have been edited, so its lines are checked. */
export async function* uploadLines(
  run: StoredRun,
  files: Pick<RunFiles, 'artifacts'>,
  choice: UploadChoice,
): AsyncGenerator<UploadLine> {
  let events = 0;
  for await (const line of linesOf(run, files, choice)) {
    if (line.type === 'event') events += 1;
    yield readUploadLine(line, placeOf(line, events));
  }
}

/** Where a directory has a line of an upload. `events`: how many came up to now. */
function placeOf({ type }: UploadLine, events: number): string {
  if (type === 'event') return `events.jsonl, line ${events}`;
  return type === 'run' || type === 'spec' ? `${type}.json` : type;
}

async function* linesOf(
  run: StoredRun,
  files: Pick<RunFiles, 'artifacts'>,
  { line, tags }: UploadChoice,
): AsyncGenerator<UploadLine> {
  const manifest = await run.manifest();
  yield { type: 'run', manifest, line, tags };
  const spec = await run.spec();
  if (spec !== undefined) {
    const { digests: _, ...kept } = spec;
    yield { type: 'spec', spec: kept };
  }
  const ended = new Set<string>();
  for await (const event of run.events()) {
    if (event.fact.type === 'trial-end' && event.trial !== undefined) ended.add(event.trial);
    yield { type: 'event', event };
  }
  for await (const frozen of run.frozen()) yield { type: 'frozen', frozen };
  yield* files.artifacts(ended);
  yield { type: 'end' };
}
