import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { Exchange } from './exchange.ts';
import type { Connect } from './guarded-connector.ts';

const KEEP_ALIVE_MS = 4_000;
const MAX_HEADER_BYTES = 16 * 1024;

/** A connection to an origin, for one exchange at a time; it connects when the first is sent. */
export interface Connection {
  readonly origin: string;
  send(request: Pick<Dispatcher.DispatchOptions, 'path' | 'method' | 'headers' | 'body'>, exchange: Exchange): void;
  /** Ends the exchange for the connection; returns whether it can carry another one. */
  rest(): boolean;
  /** Closes at once what is connected or connecting; resolves when it is closed. */
  close(): Promise<void>;
}

/** `onClosed` is told once, when the connection is of no use any more while it rests, or by `close`. */
export function createConnection(
  origin: string,
  connect: Connect,
  onClosed: (connection: Connection) => void,
): Connection {
  let socket: Socket | undefined;
  let exchange: Exchange | undefined;
  let closed: Promise<void> | undefined;
  const client = new Client(origin, {
    connect: (options, callback) => {
      socket = connect(options, callback);
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const closeResting = () => {
    if (exchange === undefined) void connection.close();
  };
  // undici reads by itself; the listener sees each piece before its parser does.
  function watch(source: Socket): void {
    source.on('data', (bytes: Buffer) => {
      const current = exchange;
      // Nobody asked for what comes while the connection rests, and it must not answer what is asked next.
      if (current === undefined) closeResting();
      else if (current.received(bytes.length)) {
        // The piece is parsed first: status and headers may be in it, or a mistake that ends the exchange.
        queueMicrotask(() => {
          if (!source.destroyed) current.cutOff();
        });
      }
    });
  }
  client.on('connect', () => socket && watch(socket));
  client.on('disconnect', closeResting).on('connectionError', closeResting);

  const connection: Connection = {
    origin,
    send(request, next) {
      exchange = next;
      client.dispatch(request, next);
    },
    rest() {
      exchange = undefined;
      // A receiver may answer before it has read the request; the rest of that would precede the next one.
      return closed === undefined && socket !== undefined && !socket.destroyed && socket.writableLength === 0;
    },
    close() {
      if (closed === undefined) {
        closed = client.destroy();
        socket?.destroy(); // undici does not know it before it is connected
        onClosed(connection);
      }
      return closed;
    },
  };
  return connection;
}
