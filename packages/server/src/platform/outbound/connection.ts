import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import type { Exchange } from './exchange.ts';
import type { Connect } from './guarded-connector.ts';

const MAX_HEADER_BYTES = 16 * 1024;

/** A connection to an origin that carries one exchange at a time; it connects when the first exchange is sent. */
export interface Connection {
  readonly origin: string;
  send(request: Pick<Dispatcher.DispatchOptions, 'path' | 'method' | 'headers' | 'body'>, exchange: Exchange): void;
  /** Ends the exchange; returns whether the connection can be reused. */
  rest(): boolean;
  /** Closes the connection at once, also while it is connecting; resolves when it is closed. */
  close(): Promise<void>;
}

/**
 * Creates a connection, which is closed after `keepAliveMs` of idleness. `onClosed` is called once: when an idle
 * connection becomes unusable, or by `close`.
 */
export function createConnection(
  origin: string,
  { connect, keepAliveMs }: { readonly connect: Connect; readonly keepAliveMs: number },
  onClosed: (connection: Connection) => void,
): Connection {
  let socket: Socket | undefined;
  let exchange: Exchange | undefined;
  let closed: Promise<void> | undefined;
  const client = new Client(origin, {
    connect: (options, callback) => {
      socket = connect(options, callback);
    },
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const closeResting = () => {
    if (exchange === undefined) void connection.close();
  };
  // undici reads the socket itself; this listener sees each chunk before undici's parser does.
  function watch(source: Socket): void {
    source.on('data', (bytes: Buffer) => {
      const current = exchange;
      // Unsolicited bytes on an idle connection must not become the response to the next request.
      if (current === undefined) closeResting();
      else if (current.received(bytes.length)) {
        // The chunk is parsed first, because it may contain status and headers or an error that ends the exchange.
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
      // The receiver may have responded before reading the whole request, whose unsent rest would precede the next
      // request.
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
