import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';

/** `qwen` without its terminal, with its events as JSON lines, over the protocol of OpenAI. */
export function launchQwen({ config, permissions, resume, sessionId, prompt }: AgentTurn): Launch {
  return {
    args: [
      '--output-format',
      'stream-json',
      ...(permissions === 'full' ? ['--yolo'] : []),
      '--auth-type',
      'openai',
      ...(config.model === undefined ? [] : ['-m', config.model]),
      ...(resume === undefined ? ['--session-id', sessionId] : ['--resume', resume]),
      ...(config.args ?? []),
      `--prompt=${prompt}`,
    ],
  };
}
