import { describe, expect, test } from 'vitest';
import { connectionOf } from './connection.ts';

describe('the hub is', () => {
  test.each([
    ['the option', { url: 'http://a' }, { MOONBASE_URL: 'http://b', HF_ENDPOINT: 'http://c' }, 'http://a'],
    ['else MOONBASE_URL', {}, { MOONBASE_URL: 'http://b', HF_ENDPOINT: 'http://c' }, 'http://b'],
    ['else HF_ENDPOINT', {}, { MOONBASE_URL: ' ', HF_ENDPOINT: 'https://c/hub' }, 'https://c/hub'],
    ['else the local one', {}, {}, 'http://127.0.0.1:7780'],
  ])('%s', (_, options, env, hubUrl) => {
    expect(connectionOf(options, env)).toEqual({ hubUrl, accessToken: undefined });
  });

  test.each(['hub.test', 'ftp://hub.test', 'http://', 'http://hub.test?x=1', ''.padEnd(3, '/')])('never %s', (url) => {
    expect(() => connectionOf({ url }, {})).toThrow('The URL of the hub must');
  });

  test('never a URL with a password, which is not repeated', () => {
    const connect = () => connectionOf({ url: 'http://ada:pass1234@hub.test' }, {});
    expect(connect).toThrow('must not contain');
    expect(connect).not.toThrow('pass1234');
  });
});

describe('the token is', () => {
  test.each([
    ['else MOONBASE_TOKEN', {}, { MOONBASE_TOKEN: 'hf_b\n', HF_TOKEN: 'hf_c' }, 'hf_b'],
    ['else HF_TOKEN', {}, { MOONBASE_TOKEN: '', HF_TOKEN: 'hf_c' }, 'hf_c'],
  ])('%s', (_, options, env, token) => {
    expect(connectionOf(options, env).accessToken).toBe(token);
  });

  test('a single word; anything else is refused without being repeated', () => {
    const connect = () => connectionOf({}, { HF_TOKEN: 'hf_a\nhf_b' });
    expect(connect).toThrow('one word');
    expect(connect).not.toThrow('hf_a');
  });
});
