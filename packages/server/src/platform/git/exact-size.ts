import { Transform } from 'node:stream';
import { damaged } from './fault.ts';

/** Passes bytes on, without the first `skip`; fails if their number differs from the size in the object's header. */
export function exactSize(size: number, skip = 0): Transform {
  let toSkip = skip;
  let left = size;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const skipped = Math.min(toSkip, chunk.length);
      toSkip -= skipped;
      left -= chunk.length - skipped;
      if (left < 0) done(damaged('An object is larger than its header says'));
      else done(null, chunk.subarray(skipped));
    },
    flush(done) {
      done(left === 0 ? null : damaged('An object is smaller than its header says'));
    },
  });
}
