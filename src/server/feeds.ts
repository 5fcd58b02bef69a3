import { Refusal } from './refusal.ts';

/** Counts the open feeds of each account. */
export interface Feeds {
  /** Counts one more, and gives what ends it. Throws 429. */
  open(accountId: string): () => void;
}

/** `most`: of an account. */
export function openFeeds(most: number): Feeds {
  const open = new Map<string, number>();
  return {
    open(accountId) {
      const before = open.get(accountId) ?? 0;
      if (before >= most) throw tooMany(most);
      open.set(accountId, before + 1);
      let isOpen = true;
      return () => {
        if (!isOpen) return;
        isOpen = false;
        const others = (open.get(accountId) ?? 1) - 1;
        if (others > 0) open.set(accountId, others);
        else open.delete(accountId);
      };
    },
  };
}

function tooMany(most: number): Refusal {
  return new Refusal(
    429,
    {
      code: 'rate-limited',
      message: `${most} live connections to this server are open already`,
      hint: 'close a browser tab or a client that follows a run',
    },
    { 'Retry-After': '15' },
  );
}
