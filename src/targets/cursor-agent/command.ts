import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';

/** `cursor-agent -p` with its events as JSON lines. */
export function launchCursor({ config, permissions, resume, prompt, directory }: AgentTurn): Launch {
  return {
    args: [
      '-p',
      '--output-format',
      'stream-json',
      '--trust',
      ...(permissions === 'full' ? ['--force'] : []),
      '--workspace',
      directory,
      ...(resume === undefined ? [] : ['--resume', resume]),
      ...(config.model === undefined ? [] : ['--model', config.model]),
      ...(config.args ?? []),
      prompt,
    ],
  };
}
