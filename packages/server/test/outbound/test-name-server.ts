import { createSocket, type RemoteInfo } from 'node:dgram';
import { type AddressInfo, createServer, isIPv6 } from 'node:net';
import { onTestFinished } from 'vitest';

/** The answer to a name: its addresses, another name, a response code, nonsense, or nothing. */
export type Zone = Record<string, string[] | { cname: string } | { rcode: number } | 'garbage' | 'silence'>;

const CNAME = 5;
const AAAA = 28;
const NXDOMAIN = 3;

/**
 * Starts a name server on 127.0.0.1, UDP and TCP, for `zone`, where `AAAA name` precedes `name`; returns its address
 * and the received queries.
 */
export async function nameServerOf(zone: Zone): Promise<{ server: string; asked: string[] }> {
  const asked: string[] = [];
  const answer = (query: Buffer): Buffer | undefined => {
    const { name, type, end } = questionOf(query);
    asked.push(`${type === AAAA ? 'AAAA' : 'A'} ${name}`);
    return replyTo(query.subarray(0, end), name, type, zone);
  };
  const streams = createServer((stream) => {
    stream
      .on('error', () => {})
      .on('data', (bytes: Buffer) => {
        for (let at = 0; at < bytes.length; at += 2 + bytes.readUInt16BE(at)) {
          const reply = answer(bytes.subarray(at + 2, at + 2 + bytes.readUInt16BE(at)));
          const length = Buffer.alloc(2);
          length.writeUInt16BE(reply?.length ?? 0);
          if (reply !== undefined) stream.write(Buffer.concat([length, reply]));
        }
      });
  });
  await new Promise<void>((listening) => streams.listen(0, '127.0.0.1', listening));
  const { port } = streams.address() as AddressInfo;
  const datagrams = createSocket('udp4');
  datagrams.on('message', (query: Buffer, from: RemoteInfo) => {
    const reply = answer(query);
    if (reply !== undefined) datagrams.send(cutToDatagram(reply, query), from.port, from.address);
  });
  await new Promise<void>((bound) => datagrams.bind(port, '127.0.0.1', bound));
  onTestFinished(() => {
    datagrams.close();
    streams.close();
  });
  return { server: `127.0.0.1:${port}`, asked };
}

/** Cuts a reply that is too long for a datagram, and marks it as cut (RFC 1035 §4.1.1, TC). */
function cutToDatagram(reply: Buffer, query: Buffer): Buffer {
  if (reply.length <= 1_232) return reply;
  const cut = Buffer.from(reply.subarray(0, questionOf(query).end));
  cut.writeUInt16BE(cut.readUInt16BE(2) | 0x0200, 2);
  cut.writeUInt16BE(0, 6);
  return cut;
}

/** Returns the question of a query (RFC 1035 §4.1.2). */
function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function replyTo(question: Buffer, name: string, type: number, zone: Zone): Buffer | undefined {
  const records: Buffer[] = [];
  let known = zone[`${type === AAAA ? 'AAAA' : 'A'} ${name}`] ?? zone[name];
  for (let links = 0; known !== undefined && typeof known === 'object' && 'cname' in known; links += 1) {
    if (links === 20) break;
    records.push(record(name, CNAME, nameBytes(known.cname)));
    name = known.cname;
    known = zone[name];
  }
  if (known === 'silence') return undefined;
  if (known === 'garbage') return Buffer.concat([question.subarray(0, 2), Buffer.from('8180ffffffff00', 'hex')]);
  const rcode = Array.isArray(known) ? 0 : known !== undefined && 'rcode' in known ? known.rcode : NXDOMAIN;
  if (Array.isArray(known)) {
    const ofType = known.filter((address) => isIPv6(address) === (type === AAAA));
    records.push(...ofType.map((address) => record(name, type, addressBytes(address))));
  }
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x8180 | rcode, 2);
  for (const [index, count] of [1, records.length, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * index);
  return Buffer.concat([header, question.subarray(12), ...records]);
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(300, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), fixed, data]);
}

const nameBytes = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.alloc(1),
  ]);

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...Array<string>(missing).fill('0'), ...groups(right)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
