import type Sharp from 'sharp';
import { createSemaphore } from '../platform/concurrency/semaphore.ts';
import { badRequest, HubError } from '../platform/http/errors.ts';
import { countScans, pictureType } from './picture-type.ts';

const SIDE = 512;
const MAX_SIDE = 4096;
const SECONDS = 3;
/**
 * Each scan is a pass over a whole progressive JPEG, and the time limit is not checked between scans; ten scans are
 * usual.
 */
const MAX_SCANS = 100;
const MAX_WAITING = 8;

/** The loaders for the types that `pictureType` recognizes; the library has more, for SVG, PDF and others. */
const READERS = ['Png', 'Jpeg', 'Nsgif', 'Webp'].map((type) => `VipsForeignLoad${type}Buffer`);

export type Render = (bytes: Uint8Array) => Promise<Buffer>;

/**
 * Renders an avatar: WebP, center-cropped to a square of at most 512 pixels, upright, sRGB, first frame only, without
 * metadata. Throws 400 or 415 for unusable pictures. Rendering takes up to 240 MB, so pictures are rendered one at a
 * time; throws 503 if too many wait.
 */
export function createRender(): Render {
  const inTurn = createSemaphore({ atOnce: 1, maxWaiting: MAX_WAITING, refuse: tooManyPictures });
  let library: Promise<typeof Sharp> | undefined;
  return async (bytes) => {
    const type = pictureType(bytes);
    if (!type) throw new HubError(415, 'The body must be a picture and nothing around it: PNG, JPEG, WebP or GIF');
    if (type === 'jpeg' && countScans(bytes) > MAX_SCANS) throw tooSlow();
    // Loading the library takes 25 MB, which a hub without uploads never spends.
    library ??= load();
    const sharp = await library;
    return await inTurn(() => square(sharp, bytes));
  };
}

async function load(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp').catch(() => {
    throw new HubError(
      501,
      'This hub cannot read pictures on this kind of machine; an administrator can set avatarUrl',
    );
  });
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: READERS });
  return sharp;
}

async function square(sharp: typeof Sharp, bytes: Uint8Array): Promise<Buffer> {
  const open = () => sharp(bytes, { failOn: 'error', limitInputPixels: MAX_SIDE ** 2, sequentialRead: true });
  try {
    // Reads only metadata, no pixels.
    const { width, height } = await open().metadata();
    if (width > MAX_SIDE || height > MAX_SIDE) throw tooLarge();
    const side = Math.min(SIDE, width, height);
    return await open()
      .timeout({ seconds: SECONDS })
      .autoOrient()
      .resize(side, side, { fit: 'cover' })
      .webp({ quality: 85 })
      .toBuffer();
  } catch (error) {
    if (error instanceof HubError) throw error;
    const message = String(error);
    if (message.includes('pixel limit')) throw tooLarge();
    if (/timeout|killed/.test(message)) throw tooSlow();
    throw badRequest('This picture is damaged; save it again as PNG, JPEG, WebP or GIF');
  }
}

const tooSlow = () => badRequest('This picture takes too long to read; save it in a simpler form');
const tooLarge = () => badRequest(`The picture is too large: at most ${MAX_SIDE} by ${MAX_SIDE} pixels`);
const tooManyPictures = () =>
  new HubError(503, 'Too many pictures are being uploaded; try again soon', { headers: { 'retry-after': '5' } });
