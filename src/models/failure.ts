import type { ErrorCode, ErrorKind, QuotedCode, SystemCode } from '../core/error-code.ts';
import { messageOf } from '../core/errors.ts';
import { given } from '../lib/given.ts';
import { forbiddenAddressIn } from '../lib/http/forbidden-address.ts';
import { isObject } from '../lib/json.ts';
import { retryAfterMs } from '../lib/time/retry-after.ts';

/** Why a request to a model has no answer. */
export interface Failure {
  readonly kind: ErrorKind;
  readonly detail: ErrorCode | QuotedCode;
  readonly message: string;
  /** Whether a retry may help: here, and in another attempt of the trial. */
  readonly isTransient: boolean;
  /** The provider reports too many requests. */
  readonly isThrottled: boolean;
  readonly retryAfterMs?: number;
  /** The answer had begun, so it may have cost something. */
  readonly hasBegun: boolean;
  /** Where the request was sent, without its query; absent if it was not sent, or the package does not say it. */
  readonly url?: string;
}

export function mayHaveCost({ hasBegun, kind }: Failure): boolean {
  return hasBegun || kind === 'timeout';
}

/** Whether nothing was received from the server. */
export function isUnreached({ kind, isTransient, hasBegun }: Failure): boolean {
  return kind === 'target-unavailable' && isTransient && !hasBegun;
}

const SHOWN_CHARACTERS = 500;
const BEGINNING_CHARACTERS = 100;

/** Recognises failures by their properties, because packages of providers have classes of different versions. */
export function failureOf(error: unknown): Failure {
  const status = statusOf(error);
  if (WITHOUT_OUTPUT.test(messageOf(error))) return malformed(error);
  if (status !== undefined && status >= 400) return ofStatus(error, status);
  if (status !== undefined && status >= 300) {
    return failure('http-error', `http-${status}`, `status ${status}, a redirect that is not followed`);
  }
  const forbidden = forbiddenAddressIn(error);
  if (forbidden !== undefined) return failure('target-unavailable', 'address-forbidden', forbidden.message);
  if (nameOf(error) === 'AI_LoadAPIKeyError') {
    return failure('target-unavailable', 'credentials-missing', messageOf(error));
  }
  if (nameOf(error) === 'AI_UnsupportedFunctionalityError') {
    return failure('model-rejected', 'unsupported', messageOf(error));
  }
  if (nameOf(error) === 'RequestTimeout') return failure('timeout', 'no-answer', messageOf(error));
  const network = networkFailure(error);
  if (network !== undefined) return network;
  if (
    status !== undefined ||
    /JSON|Type ?Validation|Invalid(Response|Prompt)|NoContent|EmptyResponse/i.test(nameOf(error))
  ) {
    return malformed(error);
  }
  const message = isObject(error)
    ? shortened(String(error['message'] ?? JSON.stringify(error)))
    : messageOf(error);
  return {
    ...failure('http-error', 'stream-error', `the answer ended early: ${message}`),
    isTransient: true,
    hasBegun: true,
  };
}

/** What the package of OpenAI makes of an answer of another protocol; it gives it the status 500. */
const WITHOUT_OUTPUT = /^Responses API returned no output/;

function malformed(error: unknown): Failure {
  const reason = [shortened(messageOf(tooMuchIn(error) ?? error)), ...whereAsked(error)].join('; ');
  const message = `the answer cannot be parsed: ${reason}`;
  const hasBegun = !/InvalidPrompt/i.test(nameOf(error));
  return { ...failure('contract', 'malformed-answer', message), hasBegun, ...given({ url: urlOf(error) }) };
}

/** The address that was asked, and how its answer began. */
function whereAsked(error: unknown): readonly string[] {
  const url = urlOf(error);
  const body = isObject(error) ? error['responseBody'] : undefined;
  const began = typeof body === 'string' ? body.trim().slice(0, BEGINNING_CHARACTERS) : '';
  return [
    ...(url === undefined ? [] : [`it came from ${url}`]),
    ...(began === '' ? [] : [`it begins with ${JSON.stringify(began)}`]),
  ];
}

/** Without its query and its password, which may be secret. */
function urlOf(error: unknown): string | undefined {
  const url = isObject(error) ? error['url'] : undefined;
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Providers wrap the reason why an answer could not be read completely. */
function tooMuchIn(error: unknown): unknown {
  const cause = isObject(error) ? error['cause'] : undefined;
  return nameOf(cause) === 'InvalidResponseSize' ? cause : undefined;
}

function ofStatus(error: unknown, status: number): Failure {
  const said = whatItSaid(error);
  const message = `status ${status}${said === '' ? '' : `: ${said}`}`;
  const known = ofMeaning(status, said);
  if (known !== undefined)
    return { ...failure(known.kind, known.detail, message), ...given({ url: urlOf(error) }) };
  const isTransient = status === 408 || status === 429 || status >= 500;
  const headers = (error as { responseHeaders?: Record<string, string> }).responseHeaders ?? {};
  const waitMs = retryAfterMs(headers, Date.now());
  return {
    ...failure('http-error', `http-${status}`, message),
    isTransient,
    isThrottled: status === 429 || status === 529,
    ...given({ retryAfterMs: waitMs }),
  };
}

/** Statuses with a specific meaning. */
function ofMeaning(status: number, said: string): { kind: ErrorKind; detail: ErrorCode } | undefined {
  if (status === 401 || status === 403) return { kind: 'http-error', detail: 'credentials-rejected' };
  if (status === 429 && /insufficient_quota|exceeded your current quota|billing/i.test(said)) {
    return { kind: 'http-error', detail: 'quota-exhausted' };
  }
  if (status === 404 || (status === 400 && UNKNOWN_MODEL.test(said))) {
    return { kind: 'model-rejected', detail: 'model-rejected' };
  }
  if ((status === 400 || status === 413) && TOO_LONG.test(said)) {
    return { kind: 'http-error', detail: 'context-length' };
  }
  return undefined;
}

const UNKNOWN_MODEL =
  /model[^.]{0,80}(not found|does not exist|not exist|unknown|invalid|not supported)|(unknown|invalid) model/i;
const TOO_LONG =
  /context[_ ](length|window)|too many (input )?tokens|prompt is too long|input (is )?too long|maximum context|token count.{0,40}exceeds/i;

/** Error codes in the chain of causes, where Node and undici put the real reason. */
function networkFailure(error: unknown): Failure | undefined {
  const codes: string[] = [];
  const texts: string[] = [];
  for (let cause: unknown = error, depth = 0; isObject(cause) && depth < 6; cause = cause['cause'], depth++) {
    if (typeof cause['code'] === 'string') codes.push(cause['code']);
    texts.push(String(cause['message'] ?? ''));
    const first: unknown = Array.isArray(cause['errors']) ? cause['errors'][0] : undefined;
    if (isObject(first) && typeof first['code'] === 'string') codes.push(first['code']);
  }
  const code = codes.find((each) => /^(E[A-Z]+|ERR_INVALID_URL|UND_ERR_\w+)$/.test(each));
  const text = texts.find((each) => NETWORK_TEXT.test(each));
  if (code === undefined && text === undefined) return undefined;
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return failure('timeout', 'no-answer', 'the request timed out');
  }
  const hasBegun = text !== undefined && /terminated|stream ended|other side closed/i.test(text);
  const why = [...new Set([text ?? texts[0] ?? '', code ?? ''])].filter((each) => each !== '').join(', ');
  const isTransient = code !== 'ERR_INVALID_URL';
  if (hasBegun) {
    const lost = `the connection was lost in the middle of the answer (${why})`;
    return { ...failure('target-unavailable', 'cut-off', lost), isTransient, hasBegun };
  }
  const reason = code === undefined ? 'network' : (code.toLowerCase() as SystemCode);
  return { ...failure('target-unavailable', reason, `connection failed: ${why}`), isTransient };
}

const NETWORK_TEXT = /fetch failed|terminated|other side closed|cannot connect|socket|stream ended/i;

function failure(kind: ErrorKind, detail: Failure['detail'], message: string): Failure {
  return { kind, detail, message, isTransient: false, isThrottled: false, hasBegun: false };
}

function whatItSaid(error: unknown): string {
  const message = messageOf(error);
  const { responseBody } = error as { responseBody?: unknown };
  const body = typeof responseBody === 'string' ? responseBody : '';
  // For an unknown format the message is only the status text, and the body says more.
  return shortened(
    body.includes(message) || body === '' || message.length > 30 ? `${message}${codeIn(body)}` : body,
  );
}

function codeIn(body: string): string {
  const code = /"(?:code|type)"\s*:\s*"(insufficient_quota|context_length_exceeded|model_not_found)"/.exec(
    body,
  )?.[1];
  return code === undefined ? '' : ` (${code})`;
}

function shortened(text: string): string {
  const trimmed = text.trim();
  return trimmed.length <= SHOWN_CHARACTERS ? trimmed : `${trimmed.slice(0, SHOWN_CHARACTERS)}...`;
}

function statusOf(error: unknown): number | undefined {
  const status = isObject(error) ? (error['statusCode'] ?? error['status']) : undefined;
  return typeof status === 'number' ? status : undefined;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}
