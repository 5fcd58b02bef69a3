import type { AgentTurn, Launch } from '../coding-agent/adapter.ts';

/** `pi -p` with its events as JSON lines; it never asks for permission. */
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

/** Written as `provider/model`; the model name may contain slashes. */
function modelOptions(model: string | undefined): readonly string[] {
  if (model === undefined) return [];
  const slash = model.indexOf('/');
  if (slash <= 0) return ['--model', model];
  return ['--provider', model.slice(0, slash), '--model', model.slice(slash + 1)];
}

/** The start of a prompt can give it another meaning. */
export function promptFault(prompt: string): string | undefined {
  if (prompt.startsWith('-')) return 'it starts with "-", which pi reads as an option';
  return prompt.startsWith('@') ? 'it starts with "@", which pi reads as a file' : undefined;
}
