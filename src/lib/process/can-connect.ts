import { connect, type NetConnectOpts } from 'node:net';

/** Whether something listens at a port or socket. Resolves with false when a `timeout` in milliseconds is over. */
export function canConnect(place: NetConnectOpts): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place);
    const settle = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
    socket.once('timeout', () => settle(false));
  });
}
