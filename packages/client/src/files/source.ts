/**
 * The bytes of a file, which can be read several times, in whole and in part. A `Blob` is one, and so is a `File` of a
 * browser. A source of your own is sent as a stream, which browsers can do over HTTP/2 only.
 */
export interface FileSource {
  readonly size: number;
  slice(start: number, end: number): FileSource;
  stream(): ReadableStream<Uint8Array>;
}

/** What a file may be given as. A stream is read into memory first, as its bytes are needed more than once. */
export type FileContent = FileSource | string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export async function sourceOf(content: FileContent): Promise<FileSource> {
  if (typeof content === 'string' || content instanceof Uint8Array) return new Blob([content]);
  return content instanceof ReadableStream ? new Response(content).blob() : content;
}

/** Yields the bytes of a source; lets go of it where the reader stops early. */
export async function* chunksOf(source: { stream(): ReadableStream<Uint8Array> }): AsyncGenerator<Uint8Array, void> {
  const reader = source.stream().getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    await reader.cancel();
  }
}

export async function bytesOf(source: FileSource): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(source.size);
  let at = 0;
  for await (const chunk of chunksOf(source)) {
    if (at + chunk.length > bytes.length) break;
    bytes.set(chunk, at);
    at += chunk.length;
  }
  if (at !== bytes.length) throw new Error('The file changed while it was read');
  return bytes;
}

/** Returns a stream of what a generator yields, which is ended where the stream is given up. */
export function streamOf(chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return();
    },
  });
}

/** A source whose stream tells how many bytes were taken from it. */
export function counted(source: FileSource, onBytes: (bytes: number) => void): FileSource {
  return {
    size: source.size,
    slice: (start, end) => counted(source.slice(start, end), onBytes),
    stream: () => streamOf(counting(source, onBytes)),
  };
}

async function* counting(source: FileSource, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunksOf(source)) {
    yield chunk;
    onBytes(chunk.length);
  }
}

const PIECE = 3 * 8192;

/** Returns bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))));
  return pieces.join('');
}
