import { createPktReader, DELIMITER, FLUSH, type PktLine, type PktReader, pktLine } from '../../git/index.ts';
import { HubError } from '../../platform/http/errors.ts';
import { plainText, RemoteFault } from '../../platform/outbound/remote/fault.ts';

/** What a remote supports in version 2 of the protocol: each capability with its value, which may be empty. */
export type Capabilities = ReadonlyMap<string, string>;

/** Reads pkt-lines of a remote, of at most `maxBytes` together. */
export function readerOf(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Pick<PktReader, 'next'> {
  const reader = createPktReader(bytes, maxBytes);
  return {
    next: () =>
      reader.next().catch((error: unknown) => {
        throw error instanceof HubError ? new RemoteFault(`The remote does not speak git: ${error.message}`) : error;
      }),
  };
}

/** Returns the text of a line without the line feed. Throws a `RemoteFault` if the remote reports an error in it. */
export function textOf(line: Buffer): string {
  const text = line.toString('utf8').replace(/\n$/, '');
  if (text.startsWith('ERR ')) throw new RemoteFault(`The remote says: ${plainText(text.slice(4))}`);
  return text;
}

/** Yields the lines up to a flush. Throws a `RemoteFault` if the answer ends before it. */
export async function* linesUpToFlush(reader: Pick<PktReader, 'next'>): AsyncGenerator<Buffer, void> {
  for (let line = await reader.next(); line !== 'flush'; line = await reader.next())
    if (line instanceof Buffer) yield line;
    else if (line === undefined) throw endedEarly();
}

export const endedEarly = () => new RemoteFault('The answer of the remote breaks off');

const OLD_PROTOCOL =
  "The remote speaks an old version of git's protocol only; version 2 is needed, which git has since 2.18";

/** Reads the first answer of a remote: what it supports. Throws a `RemoteFault` if that is not enough. */
export async function readCapabilities(reader: Pick<PktReader, 'next'>): Promise<Capabilities> {
  let first = await reader.next();
  if (isText(first, '# service=git-upload-pack')) {
    if ((await reader.next()) !== 'flush') throw new RemoteFault(OLD_PROTOCOL);
    first = await reader.next();
  }
  if (!isText(first, 'version 2')) throw new RemoteFault(OLD_PROTOCOL);
  const capabilities = new Map<string, string>();
  for await (const line of linesUpToFlush(reader)) {
    const [name = '', ...value] = textOf(line).split('=');
    capabilities.set(name, value.join('='));
  }
  if (!capabilities.has('ls-refs') || !capabilities.has('fetch')) throw new RemoteFault(OLD_PROTOCOL);
  const format = capabilities.get('object-format') ?? 'sha1';
  if (format !== 'sha1')
    throw new RemoteFault(`The repository has objects of the format ${plainText(format)}; the hub knows sha1 alone`);
  return capabilities;
}

const isText = (line: PktLine | undefined, text: string): boolean => line instanceof Buffer && textOf(line) === text;

/** Encodes a request of version 2: a command with its arguments. */
export function encodeCommand(
  name: string,
  capabilities: Capabilities,
  agent: string,
  args: readonly string[],
): Buffer {
  const about = [
    `command=${name}`,
    ...(capabilities.has('agent') ? [`agent=${agent}`] : []),
    ...(capabilities.has('object-format') ? ['object-format=sha1'] : []),
  ];
  const encoded = (lines: readonly string[]) => lines.map((line) => pktLine(`${line}\n`));
  return Buffer.concat([...encoded(about), DELIMITER, ...encoded(args), FLUSH]);
}
