import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

export const FORMATS = ['png', 'jpeg', 'webp', 'gif'] as const;

/** Returns a picture of one colour. */
export const flat = (format: (typeof FORMATS)[number], width = 60, height = 40, background = '#4080c0') =>
  sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer();

/** Returns a picture of noise, which no format compresses. */
export const noise = (side: number) =>
  sharp(Buffer.from(Array.from({ length: side * side * 3 }, (_, at) => (Math.imul(at + 1, 2654435761) >>> 16) & 255)), {
    raw: { width: side, height: side, channels: 3 },
  });

/**
 * Returns a picture whose left half is red and whose right half is blue, rotated according to EXIF, with a GPS
 * position.
 */
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

/** Returns a PNG of one bit a pixel, all black, with further chunks after its header. */
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

/**
 * Returns a progressive JPEG of 4096 by 4096 grey pixels in 36 kB, with every scan that the format allows: each is a
 * pass over the whole picture (ITU-T T.81, annex G).
 */
export function jpegOfScans(): Buffer {
  const side = 4096;
  const blocks = (side / 8) ** 2;
  const segment = (marker: number, ...data: number[]) =>
    Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255, ...data]);
  const zeros = (count: number) => Array.from({ length: count }, () => 0);
  // The scan has eight runs of 32,767 blocks without a coefficient, and one run of the remaining eight blocks.
  const bits = `${`0${'1'.repeat(14)}`.repeat(8)}10000`.padEnd(128, '1');
  const runs = Buffer.from(
    (bits.match(/.{8}/g) ?? []).flatMap((byte) => (byte === '11111111' ? [255, 0] : [Number.parseInt(byte, 2)])),
  );
  const scan = (coefficient: number, high: number, low: number) =>
    Buffer.concat([segment(0xda, 1, 1, 0, coefficient, coefficient, (high << 4) | low), runs]);
  const coefficients = Array.from({ length: 63 }, (_, at) => at + 1);
  const depths = Array.from({ length: 13 }, (_, at) => 12 - at);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array.from({ length: 64 }, () => 1)),
    segment(0xc2, 8, side >> 8, 0, side >> 8, 0, 1, 1, 0x11, 0),
    segment(0xc4, 0x00, 1, ...zeros(15), 0),
    segment(0xc4, 0x10, 1, 1, ...zeros(14), 0xe0, 0x30),
    segment(0xda, 1, 1, 0, 0, 0, 1),
    Buffer.alloc(blocks / 8),
    ...depths.flatMap((low) => coefficients.map((at) => scan(at, low === 12 ? 0 : low + 1, low))),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Returns a GIF with this number of frames, each with data for one pixel and a declared size. */
export function gifOfFrames(frames: number, width = 1, height = 1): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(width, 6);
  head.writeUInt16LE(height, 8);
  const frame = Buffer.from('2c0000000001000100000202440100', 'hex');
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(';')]);
}
