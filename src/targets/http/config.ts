import * as z from 'zod';

import { http } from '../../lib/http/node-http.ts';
import { timeLimitMs } from '../../lib/time/time-limit.ts';
import { textMapping } from '../../lib/text/json-value.ts';

const MEBIBYTE = 2 ** 20;

/** Stands for the port that was chosen for the agent's own program. */
export const PORT = '{PORT}';

const server = z.lazy(() =>
  z.strictObject({
    command: z
      .union([z.array(z.string()).min(1), z.string().min(1)])
      .describe(
        'Starts the agent before the first trial; {PORT} and the variable PORT hold the port to listen on',
      ),
    cwd: z.string().min(1).optional().describe('Default: the folder of the config'),
    env: textMapping().optional().describe('Its environment variables'),
    url: z
      .string()
      .min(1)
      .optional()
      .describe('Ready when this answers with 2xx; default: when the port can be connected to'),
    timeoutMs: timeLimitMs().default(30_000).describe('Until it must be ready'),
  }),
);

export const httpConfig = z.lazy(() =>
  z
    .strictObject({
      url: z.string().min(1).describe('Where each turn is posted to'),
      headers: textMapping().optional().describe('Sent with every request'),
      history: z
        .enum(['all', 'last'])
        .default('all')
        .describe('The whole conversation with every turn, or the newest message only'),
      connectTimeoutMs: z
        .number()
        .int()
        .positive()
        .default(10_000)
        .describe('Until there must be a connection'),
      maxBodyBytes: z
        .number()
        .int()
        .positive()
        .default(32 * MEBIBYTE)
        .describe('Of an answer'),
      images: z.boolean().default(false).describe('Whether it understands images'),
      server: server.optional().describe("The agent's own program, started and ended with the run"),
    })
    .superRefine((value, context) => {
      const report = (message: string, path: string[]): void =>
        context.addIssue({ code: 'custom', message, path });
      const problem = problemOfUrl(value.url);
      if (problem !== undefined) report(problem, ['url']);
      if (value.url.includes(PORT) && value.server === undefined)
        report(`${PORT} needs a \`server\` to start`, ['url']);
      for (const [name, text] of Object.entries(value.headers ?? {})) {
        const wrong = problemOfHeader(name, text);
        if (wrong !== undefined) report(wrong, ['headers', name]);
      }
    }),
);

export type HttpConfig = z.infer<typeof httpConfig>;
export type ServerConfig = z.infer<typeof server>;

/** What the environment will give is looked at when it is there. */
const OPEN = '${{';

function problemOfUrl(url: string): string | undefined {
  if (url.includes(OPEN)) return undefined;
  if (/^https?:/i.test(url) && URL.canParse(url.replaceAll(PORT, '80'))) return undefined;
  return 'not a URL that starts with http:// or https://';
}

function problemOfHeader(name: string, text: string): string | undefined {
  if (OWN_HEADERS.has(name.toLowerCase())) return 'this header is set for every request and cannot be given';
  try {
    http().validateHeaderName(name);
    if (!text.includes(OPEN)) http().validateHeaderValue(name, text);
    return undefined;
  } catch {
    return 'HTTP allows no such header: a name or value has a character that it must not have';
  }
}

const OWN_HEADERS = new Set(['content-length', 'transfer-encoding', 'idempotency-key', 'connection']);
