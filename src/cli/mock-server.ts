import { Command } from 'commander';

import { given } from '../lib/given.ts';
import { wholeNumber } from './option-values.ts';
import { surroundings } from './surroundings.ts';

const EXAMPLE = `
It speaks OpenAI chat completions and responses, Anthropic messages and Gemini, streamed and not:
  models:
    openai: { baseUrl: http://127.0.0.1:4010/v1 }
    google: { baseUrl: http://127.0.0.1:4010/v1beta }

A script decides what it says; the first rule that matches counts:
  rules:
    - match: { model: gpt-*, contains: refund }
      replies:                      # by the number of tool results since the user spoke
        - toolCalls: [{ name: lookup_order, input: { order_id: ORD-1 } }]
        - text: Your money is on its way.
    - match: { tools: false }       # a title or the like
      reply: { text: A refund }
    - match: { contains: rate }
      times: 1                      # the same request again gets the next rule
      reply: { status: 429, headers: { retry-after: "1" } }
    - match: { contains: '"checks": [' }   # a rubrics grader; an item without an id has its position
      reply: { json: { checks: [{ id: "1", satisfied: true, reasoning: as scripted }] } }
    - match: { role: json }         # any other structured answer, such as that of llm_judge
      reply: { json: { score: 1, reasoning: as scripted, evidence: [] } }
    - reply: { text: Hello., delayMs: 200 }
`;

interface MockServerFlags {
  readonly port?: number;
  readonly script?: string;
}

export function mockServerCommand(done: (exitCode: number) => void): Command {
  return new Command('mock-server')
    .description('a server that plays language models as scripted, for trying evals without keys or money')
    .option('--port <n>', 'to listen on (default 4010; 0: any free one)', wholeNumber)
    .option('--script <file>', 'what it answers, as YAML or JSON (default: it repeats what it is told)')
    .addHelpText('after', EXAMPLE)
    .action(async ({ port = 4010, script }: MockServerFlags) => {
      const { startMockServer } = await import('../app/mock-server.ts');
      const request = { port, ...given({ script }) };
      await using server = await startMockServer(request, surroundings());
      process.stdout.write(`scripted models at ${server.url} (Ctrl-C ends it)\n`);
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
