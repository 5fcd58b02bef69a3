import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';

/** `opencode run` with its events as JSON lines; a flag that is written twice makes it crash. */
export function launchOpencode({ config, permissions, resume, prompt }: AgentTurn): Launch {
  return {
    args: [
      'run',
      '--format',
      'json',
      '--thinking',
      ...(permissions === 'full' ? ['--auto'] : []),
      ...(config.model === undefined ? [] : ['--model', config.model]),
      ...(resume === undefined ? [] : ['--session', resume]),
      ...(config.args ?? []),
      '--',
      prompt,
    ],
    env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
  };
}
