import { connect, type NetConnectOpts, type Socket } from 'node:net';

/** Copies bytes between each accepted connection and a new one, until both have ended. `open` gets all of them. */
export function relayTo(there: NetConnectOpts, open: Set<Socket>): (near: Socket) => void {
  return (near) => {
    const far = connect({ ...there, allowHalfOpen: true });
    join(near, far, open);
    join(far, near, open);
  };
}

function join(from: Socket, to: Socket, open: Set<Socket>): void {
  open.add(from);
  from.pipe(to);
  from.on('error', () => to.destroy());
  from.on('close', () => {
    open.delete(from);
    to.destroySoon();
  });
}
