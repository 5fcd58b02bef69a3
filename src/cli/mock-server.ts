import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { portNumber } from './option-values.ts';
import { surroundings } from './surroundings.ts';

const EXAMPLE = `
The server supports OpenAI chat completions and responses, Anthropic messages and Gemini, with and without streaming:
  models:
    openai: { baseUrl: http://127.0.0.1:4010/v1 }
    google: { baseUrl: http://127.0.0.1:4010/v1beta }

A script defines the answers. The first matching rule applies:
  rules:
    - match: { model: gpt-*, contains: refund }
      replies:                      # sends the first reply if there is no tool result yet, the second after one result, and so on
        - toolCalls: [{ name: lookup_order, input: { order_id: ORD-1 } }]
        - text: Your money is on its way.
    - match: { tools: false }       # a request without tools, such as for a title of the conversation
      reply: { text: A refund }
    - match: { contains: rate }
      times: 1                      # the rule answers a request once; if the same request comes again, the rules below apply
      reply: { status: 429, headers: { retry-after: "1" } }
    - match: { contains: '"checks": [' }   # for a rubrics grader; "1" is the id of the first item of the list if that item is only a text
      reply: { json: { checks: [{ id: "1", satisfied: true, reasoning: as scripted }] } }
    - match: { role: json }         # any other structured answer, such as for llm_judge
      reply: { json: { score: 1, reasoning: as scripted, evidence: [] } }
    - reply: { text: Hello., delayMs: 200 }
`;

interface MockServerFlags {
  readonly port?: number;
  readonly script?: string;
}

export function mockServerCommand(done: (exitCode: number) => void): Command {
  return new Command('mock-server')
    .description('start a server that imitates language models, to try evals without keys or cost')
    .option('--port <n>', 'port to listen on (default 4010; 0: any free port)', portNumber)
    .option('--script <file>', 'YAML or JSON file with the answers (default: echo the message)')
    .addHelpText('after', EXAMPLE)
    .action(async ({ port = 4010, script }: MockServerFlags) => {
      const { startMockServer } = await import('../app/mock-server.ts');
      const request = { port, ...given({ script }) };
      await using server = await startMockServer(request, surroundings());
      process.stdout.write(`scripted models at ${server.url} (Ctrl-C to stop)\n`);
      await interrupted();
      process.stdout.write(`${server.counts().total} requests answered\n`);
      done(0);
    });
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      process.off('SIGINT', end);
      process.off('SIGTERM', end);
      resolve();
    };
    process.on('SIGINT', end);
    process.on('SIGTERM', end);
  });
}
