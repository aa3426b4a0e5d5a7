import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { damaged } from './fault.ts';
import { headerOf, type ObjectType } from './objects/object.ts';

interface Expected {
  readonly id: string;
  readonly type: ObjectType;
  /** The number of bytes in the object's header. */
  readonly size: number;
}

/**
 * Passes on the body of an object, without the first `skip` bytes. Fails before the last bytes if the body does not match
 * the size or the id, so that nobody takes a damaged object for a complete one.
 */
export function verifiedBody({ id, type, size }: Expected, skip = 0): Transform {
  const hash = createHash('sha1').update(headerOf(type, size));
  let toSkip = skip;
  let left = size;
  let held: Buffer | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const skipped = Math.min(toSkip, chunk.length);
      toSkip -= skipped;
      const bytes = chunk.subarray(skipped);
      left -= bytes.length;
      if (left < 0) return done(damaged(`The object ${id} is larger than its header says`));
      hash.update(bytes);
      const before = held;
      held = bytes;
      done(null, before);
    },
    flush(done) {
      if (left > 0) done(damaged(`The object ${id} is smaller than its header says`));
      else if (hash.digest('hex') !== id) done(damaged(`The object ${id} is damaged`));
      else done(null, held);
    },
  });
}
