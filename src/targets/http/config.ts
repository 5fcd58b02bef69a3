import * as z from 'zod';

import { http } from '../../lib/http/node-http.ts';
import { timeLimitMs } from '../../lib/time/time-limit.ts';
import { textMapping } from '../../lib/text/json-value.ts';
import { promptRole } from '../given-prompt.ts';

const MEBIBYTE = 2 ** 20;

/** The placeholder for the port of the agent's own program. */
export const PORT = '{PORT}';

const server = z.lazy(() =>
  z.strictObject({
    command: z
      .union([z.array(z.string()).min(1), z.string().min(1)])
      .describe(
        'Command that starts the agent before the first trial; {PORT} and the variable PORT are its port.',
      ),
    cwd: z.string().min(1).optional().describe('Working directory. Default: the folder of the config.'),
    env: textMapping().optional().describe('Environment variables of the program.'),
    url: z
      .string()
      .min(1)
      .optional()
      .describe(
        'URL that answers with a 2xx status as soon as the agent is ready. Default: it is ready when the port accepts connections.',
      ),
    timeoutMs: timeLimitMs().default(30_000).describe('Time limit until it is ready, in milliseconds.'),
  }),
);

export const httpConfig = z.lazy(() =>
  z
    .strictObject({
      url: z.string().min(1).describe('URL to which each turn is posted.'),
      headers: textMapping().optional().describe('Headers of every request.'),
      history: z
        .enum(['all', 'last'])
        .default('all')
        .describe('Whether each turn sends the whole conversation or only the newest message.'),
      connectTimeoutMs: timeLimitMs().default(10_000).describe('Time limit of connecting, in milliseconds.'),
      maxBodyBytes: z
        .number()
        .int()
        .positive()
        .default(32 * MEBIBYTE)
        .describe('Maximum size of an answer in bytes.'),
      images: z.boolean().default(false).describe('Whether the target accepts images.'),
      promptRole: promptRole('as `metadata.prompt`'),
      server: server
        .optional()
        .describe('Program of the agent; assay starts it at the start of the run and stops it at the end.'),
    })
    .superRefine((value, context) => {
      const report = (message: string, path: string[]): void =>
        context.addIssue({ code: 'custom', message, path });
      const problem = problemOfUrl(value.url);
      if (problem !== undefined) report(problem, ['url']);
      if (value.url.includes(PORT) && value.server === undefined)
        report(`${PORT} can only be used with \`server\``, ['url']);
      for (const [name, text] of Object.entries(value.headers ?? {})) {
        const wrong = problemOfHeader(name, text);
        if (wrong !== undefined) report(wrong, ['headers', name]);
      }
    }),
);

export type HttpConfig = z.infer<typeof httpConfig>;
export type ServerConfig = z.infer<typeof server>;

/** A value from the environment is checked when it is known. */
const OPEN = '${{';

function problemOfUrl(url: string): string | undefined {
  if (url.includes(OPEN)) return undefined;
  if (/^https?:/i.test(url) && URL.canParse(url.replaceAll(PORT, '80'))) return undefined;
  return 'must be a URL that starts with http:// or https://';
}

function problemOfHeader(name: string, text: string): string | undefined {
  if (OWN_HEADERS.has(name.toLowerCase())) return 'this header is set by assay and cannot be changed';
  try {
    http().validateHeaderName(name);
    if (!text.includes(OPEN)) http().validateHeaderValue(name, text);
    return undefined;
  } catch {
    return 'invalid HTTP header: the name or value has a character that is not allowed';
  }
}

const OWN_HEADERS = new Set(['content-length', 'transfer-encoding', 'idempotency-key', 'connection']);
