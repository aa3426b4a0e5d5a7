import { createHash as createNodeHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createHash } from './hashing.ts';

const bytes = Uint8Array.from({ length: 300 }, (_, at) => (at * 131) % 256);

test.each(['sha1', 'sha256'] as const)('%s agrees with Node.js for inputs of up to 300 bytes', (algorithm) => {
  for (let length = 0; length <= bytes.length; length++) {
    const hasher = createHash(algorithm);
    hasher.update(bytes.subarray(0, length));
    expect([length, hasher.hex()]).toEqual([
      length,
      createNodeHash(algorithm).update(bytes.subarray(0, length)).digest('hex'),
    ]);
  }
});

test.each(['sha1', 'sha256'] as const)('%s does not depend on how the input is split', (algorithm) => {
  const whole = createNodeHash(algorithm).update(bytes).digest('hex');
  for (const size of [1, 7, 63, 64, 65, 128, 299]) {
    const hasher = createHash(algorithm);
    for (let at = 0; at < bytes.length; at += size) hasher.update(bytes.subarray(at, at + size));
    expect([size, hasher.hex()]).toEqual([size, whole]);
  }
});
