import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';

/** `pi -p` with its events as JSON lines; it asks nobody for permission. */
export function launchPi({ config, resume, prompt }: AgentTurn): Launch {
  return {
    args: [
      '--mode',
      'json',
      ...modelOptions(config.model),
      ...(resume === undefined ? [] : ['--session', resume]),
      ...(config.args ?? []),
      '-p',
      prompt,
    ],
    env: { PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1', PI_TELEMETRY: '0' },
  };
}

/** Written as `provider/model`, the model may have slashes of its own. */
function modelOptions(model: string | undefined): readonly string[] {
  if (model === undefined) return [];
  const slash = model.indexOf('/');
  if (slash <= 0) return ['--model', model];
  return ['--provider', model.slice(0, slash), '--model', model.slice(slash + 1)];
}

/** What its prompt begins with decides whether it takes it for one. */
export function promptFault(prompt: string): string | undefined {
  if (prompt.startsWith('-')) return 'it begins with "-", which pi takes for an option';
  return prompt.startsWith('@') ? 'it begins with "@", which pi takes for a file' : undefined;
}
