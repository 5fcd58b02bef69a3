import type { MissedConnection } from '../../core/missed-connections.ts';
import type { World } from '../../core/target.ts';

type Tell = NonNullable<World['missed']>;

/** Connections that a server in a sandbox did not get, counted on the attempts that it answers. */
export interface MissedByServer {
  /** Called for each of them. */
  readonly missed: Tell;
  /** Asks the server for an attempt. What it misses meanwhile, and what no attempt was told, belongs to this attempt. */
  during<Answer>(tell: Tell | undefined, ask: () => Promise<Answer>): Promise<Answer>;
}

/** The server does not say for whom it connects: while it answers several attempts, each of them is told. */
export function missedByServer(): MissedByServer {
  const asking = new Set<{ readonly tell: Tell }>();
  const untold: MissedConnection[] = [];
  return {
    missed(connection) {
      for (const { tell } of asking) tell(connection);
      if (asking.size === 0 && untold.length < MOST_UNTOLD) untold.push(connection);
    },
    async during(tell, ask) {
      if (tell === undefined) return await ask();
      const entry = { tell };
      asking.add(entry);
      for (const connection of untold.splice(0)) tell(connection);
      try {
        return await ask();
      } finally {
        asking.delete(entry);
      }
    },
  };
}

/** A server that tries again for ever must not use up the memory. */
const MOST_UNTOLD = 1000;
