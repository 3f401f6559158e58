import { serveSockets } from '../../lib/browser/socket-serve.ts';

serveSockets();
