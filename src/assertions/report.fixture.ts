import { emptyReport } from '../core/report-of.ts';
import type { SessionEvent, SessionReport } from '../core/session-report.ts';

const runner = { id: 'fake', pathKey: 'fake--00000000', agent: { type: 'mock', model: '' } };

export function reportWith(events: SessionEvent[], more: Partial<SessionReport> = {}): SessionReport {
  return { ...emptyReport({ runner, prompt: 'go' }), events, ...more };
}

export function ran(...commands: string[]): SessionReport {
  return reportWith(commands.map((command) => ({ type: 'command', command })));
}

/** The message that a call throws; undefined when it throws none. */
export function messageFrom(call: () => void): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof TypeError) return `TypeError: ${error.message}`;
    return (error as Error).message;
  }
}
