import type { RunEvent } from '../../../src/core/run.ts';

/** The feed of a run, read on over as many servers as it takes. */
export interface RunFeed {
  /** What has come so far, in the order in which it came. */
  readonly events: readonly RunEvent[];
  /** Reads from the server at this address until it closes or dies; continues behind the last event. */
  read(api: string): Promise<void>;
}

/** `onEvent`: called as each one comes. */
export function runFeed(run: string, onEvent: () => void = () => undefined): RunFeed {
  const events: RunEvent[] = [];
  return {
    events,
    async read(api) {
      try {
        const last = events.at(-1)?.sequence;
        const answer = await fetch(`${api}/runs/${run}/events`, {
          headers: {
            Accept: 'text/event-stream',
            ...(last === undefined ? {} : { 'Last-Event-ID': String(last) }),
          },
        });
        let text = '';
        for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
          text += chunk;
          const whole = text.split('\n\n');
          text = whole.pop() ?? '';
          for (const message of whole) {
            const data = /^data: (.*)$/m.exec(message)?.[1];
            if (data === undefined) continue;
            events.push(JSON.parse(data) as RunEvent);
            onEvent();
          }
        }
      } catch (error) {
        // The server was killed.
        if (!(error instanceof TypeError)) throw error;
      }
    },
  };
}
