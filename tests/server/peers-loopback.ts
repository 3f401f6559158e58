import { Server } from 'node:net';

/**
 * Preloaded into a server that is not ours: whatever it wants to listen on, it gets a free port of 127.0.0.1,
 * which its parent is told. It ends with its parent.
 */
const listen = Server.prototype.listen;

Server.prototype.listen = function listenHere(this: Server, ...asked: unknown[]): Server {
  const listening = asked.findLast((each) => typeof each === 'function') as
    | (() => void)
    | undefined;
  this.once('listening', () => {
    const address = this.address();
    if (address !== null && typeof address === 'object') process.send?.({ port: address.port });
  });
  return listen.call(this, { port: 0, host: '127.0.0.1' }, listening);
};

process.once('disconnect', () => process.exit());
