import { ownProgram } from '../lib/modules/own-file.ts';
import { decodeUtf8 } from '../lib/process/decode-utf8.ts';
import { lineQueue } from '../lib/process/line-queue.ts';
import { lineSplitter } from '../lib/process/lines.ts';
import { runProcess } from '../lib/process/run-process.ts';
import { BUBBLEWRAP } from './bubblewrap.ts';

/** A port of the loopback address inside, and the path of a socket outside. */
export interface PortAndSocket {
  readonly port: number;
  readonly path: string;
}

/** The connections of one program. */
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
  | { readonly done: true }
  /** A socket of `inward` is there. */
  | { readonly opened: number };

/** A process in a network of its own. It connects one program at a time, which joins its network. */
export interface Forwarder {
  readonly pid: number;
  /** Resolves when the ports are open; `opened` is called for each port that a program has opened. */
  serve(connections: Connections, opened: (port: number) => void): Promise<void>;
  /** Closes all ports and connections. */
  clear(): Promise<void>;
  isOver(): boolean;
  end(): Promise<void>;
}

type Environment = Readonly<Record<string, string>>;

/** Starts one, by a program that has the network or enters it. It ends with this process at the latest, and does not keep this process alive. */
export async function startForwarder(environment: Environment, inNetwork = OWN_NETWORK): Promise<Forwarder> {
  const stop = new AbortController();
  const orders = lineQueue();
  const lines = lineSplitter();
  let told = (pid: number): void => void pid;
  let done = (): void => {};
  let fail = (error: unknown): void => void error;
  let opened = (port: number): void => void port;
  let isOver = false;
  const answered = <Value>(begin: (resolve: (value: Value) => void) => void): Promise<Value> =>
    new Promise((resolve, reject) => {
      fail = reject;
      begin(resolve);
    });
  const hear = (said: ForwarderReply): void => {
    if ('pid' in said) told(said.pid);
    else if ('opened' in said) opened(said.opened);
    else done();
  };
  const started = answered<number>((resolve) => (told = resolve));
  const { PATH = '/usr/bin:/bin' } = environment;
  const ended = runProcess(
    {
      command: [...inNetwork, '--', ...ownProgram('sandboxes/forwarder-host')],
      cwd: '/',
      env: { PATH },
      stdin: orders.lines,
      keepBytes: 4096,
      maxOutputBytes: Infinity,
      graceMs: 100,
      isBackground: true,
      onStdout: (chunk) => {
        for (const { text } of lines.push(chunk)) hear(JSON.parse(text) as ForwarderReply);
      },
    },
    stop.signal,
  ).then(
    (result) => {
      isOver = true;
      orders.close();
      const said = decodeUtf8(result.stderr).trim();
      fail(new Error(said === '' ? `the forwarder ended: ${result.outcome}` : said));
    },
    (error: unknown) => {
      isOver = true;
      fail(error);
    },
  );
  const order = async (asked: ForwarderOrder): Promise<void> => {
    if (isOver) throw new Error('the forwarder has ended');
    await awake(
      answered<void>((resolve) => {
        done = resolve;
        orders.push(JSON.stringify(asked));
      }),
    );
  };
  return {
    pid: await awake(started),
    serve: async (serve, onOpened) => {
      opened = onOpened;
      await order({ serve });
    },
    clear: async () => {
      opened = () => {};
      await order({});
    },
    isOver: () => isOver,
    async end() {
      stop.abort();
      await awake(ended);
    },
  };
}

/** It sees all files, because the sockets may be anywhere. Programs that join its network do not see it. */
const OWN_NETWORK: readonly string[] =
  `${BUBBLEWRAP} --unshare-user --unshare-net --die-with-parent --dev-bind / /`.split(' ');

/** Keeps this process alive while it waits for the other, which does not. */
async function awake<Value>(waiting: Promise<Value>): Promise<Value> {
  const timer = setInterval(() => {}, 60_000);
  try {
    return await waiting;
  } finally {
    clearInterval(timer);
  }
}
