/** Lines as Claude Code prints them, for fake agents that do what no recording does. */
export interface ClaudeTurn {
  readonly answer: string;
  readonly sessionId?: string;
  readonly commands?: readonly string[];
  /** Skills that its skill tool loads. */
  readonly skills?: readonly string[];
  readonly tokens?: { readonly input: number; readonly output: number; readonly cacheRead?: number };
}

/** A whole turn that ends well. */
export function claudeTurn({ answer, commands = [], skills = [], ...rest }: ClaudeTurn): string[] {
  const calls = [
    ...commands.map((command) => ({ name: 'Bash', input: { command } })),
    ...skills.map((skill) => ({ name: 'Skill', input: { skill } })),
  ];
  return [
    JSON.stringify({ type: 'system', subtype: 'init', session_id: rest.sessionId ?? 's-1', model: 'm' }),
    ...calls.flatMap((call, index) => claudeCall(`c${index}`, call)),
    claudeText(answer),
    claudeResult({ answer, ...rest }),
  ];
}

/** A call and its result. */
export function claudeCall(
  id: string,
  { name, input }: { readonly name: string; readonly input: object },
): string[] {
  return [
    JSON.stringify({
      type: 'assistant',
      message: { id: `m-${id}`, role: 'assistant', content: [{ type: 'tool_use', id, name, input }] },
      parent_tool_use_id: null,
    }),
    JSON.stringify({
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
      parent_tool_use_id: null,
    }),
  ];
}

export function claudeText(text: string): string {
  return JSON.stringify({
    type: 'assistant',
    message: { id: `m-${text}`, role: 'assistant', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
  });
}

/** The end of a turn that the provider of the model refused. */
export function claudeRefusal(status: number, message: string): string[] {
  const result = { type: 'result', subtype: 'success', is_error: true, result: message, session_id: 's-1' };
  return [JSON.stringify({ ...result, api_error_status: status, modelUsage: {} })];
}

export function claudeResult({ answer, sessionId = 's-1', tokens }: ClaudeTurn): string {
  const { input = 10, output = 5, cacheRead } = tokens ?? {};
  return JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: answer,
    session_id: sessionId,
    usage: {
      input_tokens: input,
      output_tokens: output,
      ...(cacheRead === undefined ? {} : { cache_read_input_tokens: cacheRead }),
    },
  });
}
