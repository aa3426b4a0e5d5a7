import { expect, test } from 'vitest';
import { createSecretBox, createSigner, newAccessToken, opens } from './secrets.ts';

const box = createSecretBox('a passphrase of the operator, long enough');

const at = { table: 'webhooks', column: 'secret', id: '1' };

test('a sealed value can be opened with the same key, and looks different each time', () => {
  const sealed = box.seal('hunter2 — ü', at);
  expect(sealed).not.toContain('hunter2');
  expect(box.seal('hunter2 — ü', at)).not.toBe(sealed);
  expect(createSecretBox('a passphrase of the operator, long enough').open(sealed, at)).toBe('hunter2 — ü');
});

test('a sealed value cannot be opened with another key, or after a change of its text', () => {
  const sealed = box.seal('x', at);
  expect(opens(createSecretBox('another passphrase, long enough too'), sealed, at)).toBe(false);
  const [form, base64 = ''] = sealed.split(':');
  const bytes = Buffer.from(base64, 'base64');
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(opens(box, `${form}:${changed.toString('base64')}`, at)).toBe(false);
  }
  for (let length = 0; length < bytes.length; length++)
    expect(opens(box, `${form}:${bytes.subarray(0, length).toString('base64')}`, at)).toBe(false);
});

test('a sealed value can be opened only for its table, column and id', () => {
  const sealed = box.seal('x', at);
  expect(opens(box, sealed, at)).toBe(true);
  for (const other of [
    { ...at, id: '2' },
    { ...at, id: '' },
    { ...at, column: 'old_secret' },
    { ...at, table: 'jobs' },
    { table: 'webhook', column: 'ssecret', id: '1' },
  ])
    expect(opens(box, sealed, other)).toBe(false);
});

test('access tokens begin with hf_ and are long and different', () => {
  const tokens = Array.from({ length: 100 }, newAccessToken);
  for (const token of tokens) expect(token).toMatch(/^hf_[0-9A-Za-z]{34}$/);
  expect(new Set(tokens).size).toBe(100);
});

test('a signature is valid only for the same text, key and purpose', () => {
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
