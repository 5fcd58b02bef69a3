import { Socket } from 'node:net';

/**
 * A socket that sends together what is written until the event loop goes on. Each packet wakes up the server, so the
 * statements of a transaction cost less in one packet, and its locks end sooner.
 */
export function gatheringSocket(): Socket {
  const socket = new Socket();
  const write = socket.write.bind(socket) as (...given: readonly unknown[]) => boolean;
  let isGathering = false;
  const gathering = (...given: readonly unknown[]): boolean => {
    if (!isGathering) {
      isGathering = true;
      socket.cork();
      process.nextTick(() => {
        isGathering = false;
        socket.uncork();
      });
    }
    return write(...given);
  };
  // `connect` puts the method of the class back.
  socket.once('connect', () => Object.assign(socket, { write: gathering }));
  return socket;
}
