import { messageOf } from '../core/errors.ts';
import type { WorkListener } from './work-listener.ts';

/** What keeps a worker from looking for trials, told once for each reason. */
export interface Troubles {
  tell(fault: unknown): void;
  /** A look was successful. */
  end(): void;
}

export function openTroubles({
  troubled,
  recovered,
}: Pick<WorkListener, 'troubled' | 'recovered'>): Troubles {
  const told = new Set<string>();
  return {
    tell(fault) {
      const text = messageOf(fault);
      if (told.has(text)) return;
      told.add(text);
      troubled(fault);
    },
    end() {
      if (told.size === 0) return;
      told.clear();
      recovered();
    },
  };
}
