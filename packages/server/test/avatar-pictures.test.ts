import { deflateSync } from 'node:zlib';
import { getAvatar, getOrganizationAvatar, getUploadedAvatar, setUserAvatar } from '@moonbase/client/avatars';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHub, type TestHub } from './harness.ts';
import { blackPng, FORMATS, flat, fromTelephone, gifOfFrames, noise, pngChunk } from './pictures.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await hub.people('alice');
});
afterAll(() => hub[Symbol.asyncDispose]());

const upload = (bytes: Uint8Array | string) =>
  setUserAvatar({ ...hub.as('alice'), username: 'alice', picture: new Blob([bytes as Uint8Array<ArrayBuffer>]) });

/** Returns the picture that the hub serves after an upload. */
async function served(bytes: Uint8Array): Promise<Buffer> {
  const { avatarUrl } = await upload(bytes);
  const file = avatarUrl.split('/').at(-1)!;
  const picture = await getUploadedAvatar({ hubUrl: hub.url, file });
  expect(picture.type).toBe('image/webp');
  return Buffer.from(await picture.arrayBuffer());
}

const refused = (bytes: Uint8Array | string, status: number, words: RegExp) =>
  expect(upload(bytes)).rejects.toMatchObject({ status, message: expect.stringMatching(words) });

const pixel = async (picture: Buffer, left: number, top: number): Promise<number[]> => [
  ...(await sharp(picture).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
];

describe('a picture', () => {
  test.each(FORMATS)('may be %s', async (format) => {
    const picture = await served(await flat(format));
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', width: 40, height: 40 });
    const [red, green, blue] = await pixel(picture, 20, 20);
    expect(Math.abs(red! - 0x40) + Math.abs(green! - 0x80) + Math.abs(blue! - 0xc0)).toBeLessThan(12);
  });

  test.each([
    [2000, 1000, 512],
    [1000, 4096, 512],
    [4096, 4096, 512],
    [300, 700, 300],
    [1, 4096, 1],
    [1, 1, 1],
  ])('of %i by %i becomes a square of %i', async (width, height, side) => {
    expect(await sharp(await served(blackPng(width, height))).metadata()).toMatchObject({ width: side, height: side });
  });

  test('keeps transparency', async () => {
    const clear = sharp({ create: { width: 8, height: 8, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    expect(await sharp(await served(await clear.png().toBuffer())).metadata()).toMatchObject({ hasAlpha: true });
  });

  test('is rotated upright and loses its metadata', async () => {
    const original = await fromTelephone();
    expect(original.includes('Secret Photographer')).toBe(true);
    expect(original.includes('Exif')).toBe(true);
    const picture = await served(original);
    const { exif, xmp, icc, orientation } = await sharp(picture).metadata();
    expect([exif, xmp, icc, orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect(/Exif|EXIF|Secret|GPS/.test(picture.toString('latin1'))).toBe(false);
    const [top, bottom] = [await pixel(picture, 100, 20), await pixel(picture, 100, 180)];
    expect([top[0]! > 200, top[2]! < 50, bottom[0]! < 50, bottom[2]! > 200]).toEqual([true, true, true, true]);
  });

  test('that is also a file of another format is only a picture afterwards', async () => {
    const script = Buffer.from('<script>alert(1)</script><?php ?>PK\x03\x04');
    const comment = pngChunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), script]));
    for (const original of [
      blackPng(16, 16, comment),
      Buffer.concat([blackPng(16, 16), script]),
      Buffer.concat([await flat('jpeg'), script]),
      Buffer.concat([await flat('gif'), script]),
    ]) {
      expect(original.includes('alert')).toBe(true);
      expect((await served(original)).includes('alert')).toBe(false);
    }
  });

  test('is small, whatever it shows', async () => {
    const picture = await served(await noise(512).jpeg({ quality: 95 }).toBuffer());
    expect(picture.length).toBeLessThan(500_000);
  });
});

describe('a file that cannot be an avatar is refused', () => {
  const NONE = /^The body must be a picture and nothing around it/;
  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['XML and SVG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['HTML', '<!doctype html><img src=x onerror=alert(1)>'],
    [
      'a form that contains a picture',
      '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\n\x89PNG\r\n\x1a\n--x--',
    ],
    ['JSON', '{"picture":"iVBORw0KGgo="}'],
    ['PDF', '%PDF-1.7'],
    ['BMP', 'BM\0\0\0\0\0\0'],
    ['a blank in front of it', ' GIF89a'],
    ['a RIFF of another kind', 'RIFF\0\0\0\0WAVEfmt '],
    ['half a signature', '\x89PNG'],
    ['nothing', ''],
  ])('%s', async (_, text) => {
    await refused(Buffer.from(text, 'latin1'), 415, NONE);
  });

  test.each(['tiff', 'avif'] as const)('%s', async (format) => {
    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } });
    await refused(await picture.toFormat(format).toBuffer(), 415, NONE);
  });

  test.each(['\x89PNG\r\n\x1a\n<svg/>', 'GIF89a/*<svg>*/=1;alert(1)', '\xff\xd8\xff<html>', 'RIFF\0\0\0\0WEBP<svg/>'])(
    'only the first bytes of one: %j',
    async (text) => {
      await refused(Buffer.from(text, 'latin1'), 400, /^This picture is damaged/);
    },
  );

  test.each(FORMATS)('a truncated %s', async (format) => {
    const whole = await noise(64).toFormat(format).toBuffer();
    await served(whole);
    for (const share of [0.1, 0.5, 0.9])
      await refused(whole.subarray(0, Math.floor(whole.length * share)), 400, /^This picture is damaged/);
  });

  test('more than 1 MiB', async () => {
    const picture = blackPng(8, 8);
    const padded = (length: number) => Buffer.concat([picture, Buffer.alloc(length - picture.length)]);
    await served(padded(1024 * 1024));
    await refused(padded(1024 * 1024 + 1), 413, /1 MiB/);
  });
});

describe('a bomb', () => {
  const TOO_LARGE = /^The picture is too large: at most 4096 by 4096 pixels/;

  test.each([
    [20_000, 20_000],
    [4097, 1],
    [1, 4097],
    [65_000, 200],
    [2 ** 31 - 1, 2 ** 31 - 1],
  ])('of %i by %i is refused by its header', async (width, height) => {
    const honest = width * height < 1e9;
    const picture = honest ? blackPng(width, height) : blackPng(8, 8);
    if (!honest) {
      picture.writeUInt32BE(width, 16);
      picture.writeUInt32BE(height, 20);
    }
    await refused(picture, 400, honest ? TOO_LARGE : /^(The picture is too large|This picture is damaged)/);
  });

  test('in another format is refused as well', async () => {
    const gif = gifOfFrames(1, 65_535, 65_535);
    await refused(gif, 400, TOO_LARGE);
    const jpeg = Buffer.from(await flat('jpeg'));
    jpeg.writeUInt32BE(0xff00ff00, jpeg.indexOf(Buffer.from('ffc0', 'hex')) + 5);
    await refused(jpeg, 400, TOO_LARGE);
    await refused(await flat('webp', 5000, 10), 400, TOO_LARGE);
  });

  test('of sixty thousand frames becomes one frame', async () => {
    const gif = gifOfFrames(60_000);
    expect(await sharp(await served(gif)).metadata()).toMatchObject({ width: 1, height: 1 });
  });

  test.each(['zTXt', 'iCCP'])('in a %s chunk is not decompressed', async (type) => {
    const packed = deflateSync(Buffer.alloc(100 << 20), { level: 9 });
    const before = process.memoryUsage.rss();
    const chunk = pngChunk(type, Buffer.concat([Buffer.from('a\0\0'), packed]));
    expect(await sharp(await served(blackPng(8, 8, chunk))).metadata()).toMatchObject({ width: 8 });
    expect(process.memoryUsage.rss() - before).toBeLessThan(50 << 20);
  });

  test('leaves the previous picture', async () => {
    const mine = await upload(await flat('png', 30, 30, '#112233'));
    await refused(blackPng(20_000, 20_000), 400, TOO_LARGE);
    await refused('<svg/>', 415, /./);
    expect((await getAvatar({ hubUrl: hub.url, namespace: 'alice' })).type).toBe('image/webp');
    await expect(getOrganizationAvatar({ ...hub.as('alice'), name: 'alice' })).rejects.toMatchObject({ status: 404 });
    expect(await upload(await flat('png', 30, 30, '#112233'))).toEqual(mine);
  });
});
