import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deliveryHeaders, sign } from './signature.ts';

const message = {
  deliveryId: '65a0c0ffee00000000000001',
  body: '{"a":1}',
  now: 1_700_000_000_999,
  oldSecret: undefined,
  test: false,
};
const signed = `65a0c0ffee00000000000001.1700000000.{"a":1}`;

describe('the headers of a delivery', () => {
  test('carry the secret in clear and a signature over id, timestamp and body', () => {
    const headers = deliveryHeaders({ ...message, secret: 'hunter2' });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-secret': 'hunter2',
      'webhook-id': message.deliveryId,
      'webhook-timestamp': '1700000000',
      'webhook-signature': `v1,${createHmac('sha256', 'hunter2').update(signed).digest('base64')}`,
    });
  });

  test('contain no secret and no signature if the webhook has no secret', () => {
    const headers = deliveryHeaders({ ...message, secret: undefined });
    expect(headers).not.toHaveProperty('x-webhook-secret');
    expect(headers).not.toHaveProperty('webhook-signature');
    expect(headers['webhook-id']).toBe(message.deliveryId);
    expect(headers).not.toHaveProperty('x-webhook-test');
    expect(deliveryHeaders({ ...message, secret: undefined, test: true })).toMatchObject({ 'x-webhook-test': 'true' });
  });

  test('sign with the old secret as well while a rotation lasts; the header carries the new one', () => {
    const headers = deliveryHeaders({ ...message, secret: 'new', oldSecret: 'old' });
    expect(headers['webhook-signature']).toBe(`${sign('new', signed)} ${sign('old', signed)}`);
    expect(headers['x-webhook-secret']).toBe('new');
  });

  test.each([' outer', 'outer ', 'del\u007f', ' '])('leave out a secret that no header can carry: %j', (secret) => {
    const headers = deliveryHeaders({ ...message, secret });
    expect(headers).not.toHaveProperty('x-webhook-secret');
    expect(headers['webhook-signature']).toBe(sign(secret, signed));
  });

  test('a whsec_ secret signs with its decoded bytes (Standard Webhooks)', () => {
    const key = Buffer.from('a key of twenty-four byte');
    expect(sign(`whsec_${key.toString('base64')}`, 'text')).toBe(
      `v1,${createHmac('sha256', key).update('text').digest('base64')}`,
    );
  });
});
