import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';

/** `gemini` without its terminal, with its events as JSON lines. */
export function launchGemini({ config, permissions, resume, sessionId, prompt }: AgentTurn): Launch {
  return {
    args: [
      '--output-format',
      'stream-json',
      ...(permissions === 'full' ? ['--yolo'] : []),
      '--skip-trust',
      ...(config.model === undefined ? [] : ['-m', config.model]),
      ...(resume === undefined ? ['--session-id', sessionId] : ['--resume', resume]),
      ...(config.args ?? []),
      `--prompt=${prompt}`,
    ],
    env: { GEMINI_CLI_NO_RELAUNCH: 'true' },
  };
}
