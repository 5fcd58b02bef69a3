import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';

/** `claude -p` with its events as JSON lines. */
export function launchClaude(turn: AgentTurn): Launch {
  const { config, permissions, resume, sessionId, prompt } = turn;
  const isFree = permissions === 'full';
  return {
    args: [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      ...(config.model === undefined ? [] : ['--model', config.model]),
      ...(resume === undefined ? ['--session-id', sessionId] : ['--resume', resume]),
      ...(isFree ? ['--dangerously-skip-permissions'] : []),
      ...(config.args ?? []),
      '--',
      prompt,
    ],
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // As root it refuses to work without permission prompts anywhere else.
      ...(isFree && turn.isRoot ? { IS_SANDBOX: '1' } : {}),
    },
  };
}
