import { given } from '../lib/given.ts';
import { ownProgram } from '../lib/modules/own-file.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { lineQueue, type LineQueue } from '../lib/process/line-queue.ts';
import { lineSplitter } from '../lib/process/lines.ts';
import { ATTEMPT_MARKER, ownMarker } from '../lib/process/own-token.ts';
import { runProcess } from '../lib/process/run-process.ts';
import { BUBBLEWRAP } from './bubblewrap.ts';

/** A port of the loopback address inside, and the path of a socket outside. */
export interface PortAndSocket {
  readonly port: number;
  readonly path: string;
}

export interface Connections {
  /** Ports inside that lead to a socket. */
  readonly outward: readonly PortAndSocket[];
  /** Sockets that lead to a port inside, as soon as a program listens there. */
  readonly inward: readonly PortAndSocket[];
}

export interface ForwarderOrder {
  /** Absent: only what was there before is closed. */
  readonly serve?: Connections;
}

export type ForwarderReply =
  | { readonly pid: number }
  /** `closed`: ports that could not be opened. */
  | { readonly done: true; readonly closed: readonly number[] }
  /** A socket of `inward` is there. */
  | { readonly opened: number };

/** A process in a network of its own. It connects one program at a time, which joins its network. */
export interface Forwarder {
  readonly pid: number;
  /**
   * Resolves when the ports are open, with those that could not be opened. `opened` is called for each port that a
   * program has opened.
   */
  serve(connections: Connections, opened: (port: number) => void): Promise<readonly number[]>;
  /** Closes all ports and connections. */
  clear(): Promise<void>;
  isOver(): boolean;
  end(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/**
 * Starts one, by a program that makes the network or enters it. It ends with this process at the latest, and does not
 * keep this process alive.
 */
export async function startForwarder(env: Environment, inNetwork: readonly string[]): Promise<Forwarder> {
  const stop = new AbortController();
  const orders = lineQueue();
  const replies = openReplies();
  let isOver = false;
  const over = (why: unknown): void => {
    isOver = true;
    orders.close();
    replies.fail(why);
  };
  const started = replies.next();
  const ended = run({ env, inNetwork }, { orders, replies }, stop.signal).then(over, over);
  const order = async (asked: ForwarderOrder): Promise<readonly number[]> => {
    if (isOver) throw new Error('the forwarder has ended');
    const next = replies.next();
    orders.push(JSON.stringify(asked));
    const reply = await awake(next);
    return 'closed' in reply ? reply.closed : [];
  };
  const first = await awake(started);
  return {
    pid: 'pid' in first ? first.pid : 0,
    serve: async (serve, opened) => {
      replies.onOpened(opened);
      return await order({ serve });
    },
    clear: async () => {
      replies.onOpened(() => {});
      await order({});
    },
    isOver: () => isOver,
    async end() {
      stop.abort();
      await awake(ended);
    },
  };
}

/** What a forwarder says: one reply to each order, and news about ports. */
interface Replies {
  next(): Promise<ForwarderReply>;
  onOpened(opened: (port: number) => void): void;
  hear(said: ForwarderReply): void;
  fail(error: unknown): void;
}

function openReplies(): Replies {
  let resolve = (said: ForwarderReply): void => void said;
  let reject = (error: unknown): void => void error;
  let opened = (port: number): void => void port;
  return {
    next: () =>
      new Promise((...settle) => {
        [resolve, reject] = settle;
      }),
    onOpened: (react) => void (opened = react),
    hear: (said) => ('opened' in said ? opened(said.opened) : resolve(said)),
    fail: (error) => reject(error),
  };
}

interface Started {
  readonly env: Environment;
  readonly inNetwork: readonly string[];
}

interface Conversation {
  readonly orders: LineQueue;
  readonly replies: Replies;
}

/** Resolves with why it has ended. */
async function run(
  { env, inNetwork }: Started,
  { orders, replies }: Conversation,
  signal: AbortSignal,
): Promise<Error> {
  const lines = lineSplitter();
  const result = await runProcess(
    {
      command: [...inNetwork, '--', ...ownProgram('sandboxes/forwarder-host')],
      cwd: '/',
      env: { PATH: env['PATH'] ?? '/usr/bin:/bin', ...given({ TMPDIR: env['TMPDIR'] }) },
      marker: { name: ATTEMPT_MARKER, value: ownMarker() },
      stdin: orders.lines,
      keepBytes: 4096,
      maxOutputBytes: Infinity,
      graceMs: 100,
      isBackground: true,
      onStdout: (chunk) => {
        for (const { text } of lines.push(chunk)) replies.hear(JSON.parse(text) as ForwarderReply);
      },
    },
    signal,
  );
  const said = decodeUtf8(result.stderr).trim();
  return new Error(said === '' ? `the forwarder ended: ${result.outcome}` : said);
}

/**
 * Makes a network that belongs to this account of root. The forwarder sees all files, because the sockets may be
 * anywhere. Programs that join its network do not see it.
 */
export const NETWORK_OF_ROOT: readonly string[] =
  `${BUBBLEWRAP} --unshare-net --die-with-parent --cap-add CAP_NET_BIND_SERVICE --dev-bind / /`.split(' ');

/** The same with a user namespace, for every account. */
export const OWN_NETWORK: readonly string[] = [...NETWORK_OF_ROOT, '--unshare-user'];

/** Keeps this process alive while it waits for the other, which does not. */
async function awake<Value>(waiting: Promise<Value>): Promise<Value> {
  const timer = setInterval(() => {}, 60_000);
  try {
    return await waiting;
  } finally {
    clearInterval(timer);
  }
}
