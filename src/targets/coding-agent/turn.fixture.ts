import type { AgentTurn } from './adapter.ts';

/** A turn with what it tells an agent program; without overrides, the first one of a session. */
export function turnWith(more: Partial<AgentTurn> = {}): AgentTurn {
  return {
    config: {},
    prompt: '--help me',
    permissions: 'full',
    sessionId: 'ours',
    directory: '/w',
    scratch: '/s',
    isRoot: false,
    ...more,
  };
}
