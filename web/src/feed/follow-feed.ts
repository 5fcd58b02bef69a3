import type { RunChange, TrialChange } from '../../../src/api/resources/feed.ts';

/** What a feed told since the last frame, in the order in which it came. */
export interface Changes {
  readonly runs: readonly RunChange[];
  readonly trials: readonly TrialChange[];
}

export interface FeedReader {
  readonly address: string;
  onChanges(changes: Changes): void;
  /** The feed is open, perhaps again: what happened before may be missing. */
  onOpen(): void;
  /** The answer was no success; it is tried again later. */
  onRefused(): void;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Follows a feed while the tab is visible, and connects again when it breaks. Messages are handed on once a frame.
 * Gives how to end it.
 */
export function followFeed({ address, onChanges, onOpen, onRefused }: FeedReader): () => void {
  let source: EventSource | undefined;
  let frame: number | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  let runs: RunChange[] = [];
  let trials: TrialChange[] = [];
  const flush = () => {
    frame = undefined;
    const changes = { runs, trials };
    [runs, trials] = [[], []];
    onChanges(changes);
  };
  const soon = () => {
    frame ??= requestAnimationFrame(flush);
  };
  const close = () => {
    clearTimeout(retry);
    if (frame !== undefined) cancelAnimationFrame(frame);
    frame = undefined;
    [runs, trials] = [[], []];
    source?.close();
    source = undefined;
  };
  const open = () => {
    source = new EventSource(address);
    source.addEventListener('open', () => {
      pauseMs = FIRST_PAUSE_MS;
      onOpen();
    });
    source.addEventListener('run', ({ data }: MessageEvent<string>) => {
      runs.push(JSON.parse(data) as RunChange);
      soon();
    });
    source.addEventListener('trial', ({ data }: MessageEvent<string>) => {
      trials.push(JSON.parse(data) as TrialChange);
      soon();
    });
    // A broken connection is taken up again by the browser, an answer that is no success by nobody else.
    source.addEventListener('error', () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      retry = setTimeout(open, pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
      onRefused();
    });
  };
  const onVisibility = () => {
    close();
    if (!document.hidden) open();
  };
  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();
  return () => {
    document.removeEventListener('visibilitychange', onVisibility);
    close();
  };
}
