import { badRequest } from '../../platform/http/errors.ts';

/** The end of a list of pkt-lines. */
export const FLUSH = Buffer.from('0000');
/** Separates the parts of a message of protocol version 2. */
export const DELIMITER = Buffer.from('0001');

const MAX_LINE = 65_520;
const HEADER = 4;

/** Encodes a pkt-line: its length in four hexadecimal digits, then its content. */
export function pktLine(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + HEADER).toString(16).padStart(HEADER, '0')), bytes]);
}

/** A pkt-line: its content, or the kind of one without content. */
export type PktLine = Buffer | 'flush' | 'delimiter' | 'end';

const SPECIAL: Readonly<Record<number, PktLine>> = { 0: 'flush', 1: 'delimiter', 2: 'end' };

export type PktReader = ReturnType<typeof createPktReader>;

/** Reads pkt-lines from a stream, of at most `maxBytes` together; `rest` yields the bytes after them. */
export function createPktReader(bytes: AsyncIterable<Uint8Array>, maxBytes: number) {
  const iterator = bytes[Symbol.asyncIterator]();
  let buffered: Buffer = Buffer.alloc(0);
  let read = 0;

  /** Waits until that many bytes are buffered; returns false if the stream ends first. */
  async function fill(count: number): Promise<boolean> {
    while (buffered.length < count) {
      const { done, value } = await iterator.next();
      if (done) return false;
      buffered = buffered.length === 0 ? Buffer.from(value) : Buffer.concat([buffered, value]);
    }
    return true;
  }

  return {
    /** Returns the next line; undefined at the end of the stream. Throws 400 if it is malformed or there are too many. */
    async next(): Promise<PktLine | undefined> {
      if (buffered.length < HEADER && !(await fill(HEADER))) {
        if (buffered.length > 0) throw badRequest('The body ends within a pkt-line');
        return undefined;
      }
      const digits = buffered.toString('latin1', 0, HEADER);
      if (!/^[0-9a-f]{4}$/i.test(digits)) throw badRequest('The length of a pkt-line is malformed');
      const length = Number.parseInt(digits, 16);
      const special = SPECIAL[length];
      if (special === undefined && (length < HEADER || length > MAX_LINE))
        throw badRequest('The length of a pkt-line is malformed');
      const end = special === undefined ? length : HEADER;
      read += end;
      if (read > maxBytes) throw badRequest(`There are more than ${maxBytes} bytes of pkt-lines`);
      if (buffered.length < end && !(await fill(end))) throw badRequest('The body ends within a pkt-line');
      const content = buffered.subarray(HEADER, end);
      buffered = buffered.subarray(end);
      return special ?? content;
    },

    /** Ends the reading; the stream goes on to whoever reads it next. */
    close: async (): Promise<void> => void (await iterator.return?.()),

    async *rest(): AsyncGenerator<Uint8Array, void> {
      if (buffered.length > 0) yield buffered;
      buffered = Buffer.alloc(0);
      for (let piece = await iterator.next(); !piece.done; piece = await iterator.next()) yield piece.value;
    },
  };
}

/** A line by which a fetch fails; git shows its text as `remote error: …`. */
export const errorLine = (text: string): Buffer => pktLine(`ERR ${text}`);

/** The bands of a multiplexed response: the data, texts that git shows as `remote: …`, and a text by which it fails. */
export type Band = 1 | 2 | 3;

/** The maximum content of a pkt-line with `side-band-64k`, without the number of the band. */
const MAX_BAND_BYTES = 65_515;

/** Encodes bytes for a band, in as many pkt-lines as they need. */
export function sideBand(band: Band, bytes: Uint8Array): Buffer {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += MAX_BAND_BYTES)
    lines.push(pktLine(Buffer.concat([Buffer.from([band]), bytes.subarray(at, at + MAX_BAND_BYTES)])));
  return Buffer.concat(lines);
}

/** A pkt-line that keeps the connection busy and that git does not show. */
export const KEEP_ALIVE = pktLine(Buffer.from([2]));
