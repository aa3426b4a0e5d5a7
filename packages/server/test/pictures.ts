import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

export const FORMATS = ['png', 'jpeg', 'webp', 'gif'] as const;

/** A picture of one colour. */
export const flat = (format: (typeof FORMATS)[number], width = 60, height = 40, background = '#4080c0') =>
  sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();

/** Noise, which no format makes small. */
export const noise = (side: number) =>
  sharp(Buffer.from(Array.from({ length: side * side * 3 }, (_, at) => (Math.imul(at + 1, 2654435761) >>> 16) & 255)), {
    raw: { width: side, height: side, channels: 3 },
  });

/** A picture whose left half is red and whose right half is blue, lying on its side as EXIF says, with a GPS position. */
export function fromTelephone(): Promise<Buffer> {
  const raw = Buffer.alloc(200 * 200 * 3);
  for (let at = 0; at < 200 * 200; at++) raw[at * 3 + (at % 200 < 100 ? 0 : 2)] = 255;
  return sharp(raw, { raw: { width: 200, height: 200, channels: 3 } })
    .withExif({
      IFD0: { Copyright: 'Secret Photographer' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 24/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

export const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG of one bit a pixel, all black, with further chunks after its header. */
export function blackPng(width: number, height: number, ...chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A GIF of as many frames, each with data for one pixel and said to be of that size. */
export function gifOfFrames(frames: number, width = 1, height = 1): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const frame = Buffer.from('2c0000000001000100000202440100', 'hex');
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}
