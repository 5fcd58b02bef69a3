import type { RunEvent } from '../../core/run.ts';

/** Of all events: those about the whole run, and notes written after their trial had ended. */
export async function* rowlessEvents(events: AsyncIterable<RunEvent>): AsyncGenerator<RunEvent> {
  const running = new Set<string>();
  for await (const event of events) {
    const { trial, fact } = event;
    if (trial === undefined) yield event;
    else if (fact.type === 'trial-start') running.add(trial);
    else if (fact.type === 'trial-end') running.delete(trial);
    else if (fact.type === 'note' && !running.has(trial)) yield event;
  }
}
