import type { EventHead } from './ends-collector.ts';

/** Tells, of events in order, which ones rows do not: those of the run as a whole, and notes of trials that had ended. */
export function isBesideRows(): (head: Pick<EventHead, 'trial' | 'type'> | undefined) => boolean {
  const running = new Set<string>();
  return (head) => {
    if (head?.trial === undefined) return true;
    if (head.type === 'trial-start') running.add(head.trial);
    if (head.type === 'trial-end') running.delete(head.trial);
    return head.type === 'note' && !running.has(head.trial);
  };
}
