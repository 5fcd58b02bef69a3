import type { EventHead } from './ends-collector.ts';

/** Returns, for events in order, whether they are in no row: events of the whole run, and notes of ended trials. */
export function rowlessFilter(): (head: Pick<EventHead, 'trial' | 'type'> | undefined) => boolean {
  const running = new Set<string>();
  return (head) => {
    if (head?.trial === undefined) return true;
    if (head.type === 'trial-start') running.add(head.trial);
    if (head.type === 'trial-end') running.delete(head.trial);
    return head.type === 'note' && !running.has(head.trial);
  };
}
