/**
 * The bytes of a file, which can be read several times, in whole or in part; `Blob` and the browser's `File` are such
 * sources. Your own implementation is sent as a stream, which browsers support only over HTTP/2.
 */
export interface FileSource {
  readonly size: number;
  slice(start: number, end: number): FileSource;
  stream(): ReadableStream<Uint8Array>;
}

/**
 * The accepted forms of a file's content. A stream is first read into memory, because its bytes are needed more than
 * once.
 */
export type FileContent = FileSource | string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export async function sourceOf(content: FileContent): Promise<FileSource> {
  if (typeof content === 'string' || content instanceof Uint8Array) return new Blob([content]);
  return content instanceof ReadableStream ? new Response(content).blob() : content;
}

/** Yields the bytes of a source; cancels the source if the reader stops early. */
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

/** Returns a generator's output as a stream; cancelling the stream ends the generator. */
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

/** Returns a source whose stream reports the number of bytes read from it. */
export function countingSource(source: FileSource, onBytes: (bytes: number) => void): FileSource {
  return {
    size: source.size,
    slice: (start, end) => countingSource(source.slice(start, end), onBytes),
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

/** Encodes bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + PIECE))));
  return pieces.join('');
}
