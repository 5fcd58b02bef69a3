import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';

/** `codex exec` with its events as JSON lines. */
export function launchCodex(turn: AgentTurn): Launch {
  const { config, permissions, resume, directory, prompt } = turn;
  return {
    args: [
      'exec',
      ...(resume === undefined ? [] : ['resume', resume]),
      '--json',
      // Without it the program waits for its own telemetry where there is no network.
      '-c',
      'analytics.enabled=false',
      '--skip-git-repo-check',
      ...(resume === undefined ? ['-C', directory] : []),
      ...(config.model === undefined ? [] : ['-m', config.model]),
      ...(permissions === 'full' ? ['--dangerously-bypass-approvals-and-sandbox'] : []),
      ...(config.args ?? []),
      '--',
      prompt,
    ],
  };
}
