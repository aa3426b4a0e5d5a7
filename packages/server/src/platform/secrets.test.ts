import { expect, test } from 'vitest';
import { createSecretBox, createSigner, newAccessToken } from './secrets.ts';

const box = createSecretBox('a passphrase of the operator, long enough');

test('what is sealed can be opened with the same key, and looks different each time', () => {
  const sealed = box.seal('hunter2 — ü');
  expect(sealed).not.toContain('hunter2');
  expect(box.seal('hunter2 — ü')).not.toBe(sealed);
  expect(createSecretBox('a passphrase of the operator, long enough').open(sealed)).toBe('hunter2 — ü');
});

test('another key or a changed text does not open', () => {
  const sealed = Buffer.from(box.seal('x'), 'base64');
  expect(() => createSecretBox('another passphrase, long enough too').open(sealed.toString('base64'))).toThrow();
  sealed[sealed.length - 1] = (sealed.at(-1) ?? 0) ^ 1;
  expect(() => box.open(sealed.toString('base64'))).toThrow();
});

test('access tokens begin with hf_ and are long and different', () => {
  const tokens = Array.from({ length: 100 }, newAccessToken);
  for (const token of tokens) expect(token).toMatch(/^hf_[0-9A-Za-z]{34}$/);
  expect(new Set(tokens).size).toBe(100);
});

test('a signature is good for the same text, key and purpose', () => {
  const signer = createSigner('a passphrase of the operator, long enough', 'links');
  const signature = signer.sign('ada');
  expect(signature).toMatch(/^[\w-]{43}$/);
  expect(createSigner('a passphrase of the operator, long enough', 'links').verify('ada', signature)).toBe(true);
  expect(signer.verify('eve', signature)).toBe(false);
  for (const wrong of ['', signature.slice(1), `${signature}=`, 'ü'.repeat(43)])
    expect(signer.verify('ada', wrong)).toBe(false);
  expect(createSigner('another passphrase, long enough too', 'links').verify('ada', signature)).toBe(false);
  expect(createSigner('a passphrase of the operator, long enough', 'tickets').verify('ada', signature)).toBe(false);
});
