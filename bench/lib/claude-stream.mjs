import { closeSync, openSync, writeSync } from 'node:fs';

/** The output of Claude Code for an immediate answer. */
export function claudeLines(answer) {
  return [START, text('m-end', answer), END(answer)].map((event) => JSON.stringify(event));
}

/** Writes a turn with many tool calls, of `megabytes` MB. Returns its path. */
export function writeClaudeStream(file, megabytes) {
  const descriptor = openSync(file, 'w');
  let left = megabytes * 2 ** 20;
  const write = (event) => {
    left -= writeSync(descriptor, `${JSON.stringify(event)}\n`);
  };
  write(START);
  for (let number = 0; left > 0; number++) {
    write(text(`m-${number}`, 'I look at the next file.'));
    const command = `cd src && cat file-${number}.ts | head -n 40 && pnpm test --filter web`;
    write(call(number, { name: 'Bash', input: { command, description: 'Look and test' } }));
    write(result(number, `export const value = ${number}; // "quoted" \\ text\n`.repeat(80)));
  }
  write(text('m-end', 'Done.'));
  write(END('Done.'));
  closeSync(descriptor);
  return file;
}

const START = { type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: ['Bash'] };

function text(id, said) {
  return assistant(id, { type: 'text', text: said });
}

function call(number, { name, input }) {
  return assistant(`m-${number}`, { type: 'tool_use', id: `c-${number}`, name, input });
}

function assistant(id, part) {
  return {
    type: 'assistant',
    message: {
      id,
      role: 'assistant',
      model: 'm',
      content: [part],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
    parent_tool_use_id: null,
    session_id: 's',
  };
}

function result(number, content) {
  return {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c-${number}`, content }] },
    parent_tool_use_id: null,
    session_id: 's',
  };
}

const END = (answer) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: answer,
  session_id: 's',
  usage: { input_tokens: 10, output_tokens: 5 },
});
