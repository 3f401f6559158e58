import { browser } from 'wxt/browser';
import { PIPE_PORT } from '../../lib/browser/socket/socket-pipe.ts';
import { servePipe } from '../../lib/browser/socket/socket-serve.ts';

browser.runtime.onConnect.addListener((port) => {
  if (port.name === PIPE_PORT) servePipe(port);
});
