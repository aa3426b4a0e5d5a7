import { expect, test } from 'vitest';
import { createNameRule } from './policy.ts';

test('everything is allowed at first, except in namespaces of this hub', () => {
  const rule = createNameRule({ allow: undefined, deny: undefined });
  expect(rule('google/gemma')).toBe('unless-ours');
});

test('a denied name stays denied, however it is allowed', () => {
  const rule = createNameRule({ allow: ['google/*'], deny: ['*/secret-*', 'google/gemma'] });
  expect(rule('google/gemma')).toBe('no');
  expect(rule('google/secret-plan')).toBe('no');
  expect(rule('google/bert')).toBe('yes');
});

test('a list of names allows nothing else', () => {
  const rule = createNameRule({ allow: ['google/*', 'acme/weather', '*/public-*'], deny: undefined });
  expect(rule('acme/weather')).toBe('yes');
  expect(rule('acme/weather2')).toBe('no');
  expect(rule('acme/public-data')).toBe('unless-ours');
  expect(rule('googlex/bert')).toBe('no');
});

test('a dot is a dot', () => {
  expect(createNameRule({ allow: ['a.b/*'], deny: undefined })('axb/m')).toBe('no');
});
