import { describe, expect, test } from 'vitest';
import { connectionOf } from './connection.ts';

describe('the URL of the hub is', () => {
  test.each([
    ['the option if given', { url: 'http://a' }, { MOONBASE_URL: 'http://b', HF_ENDPOINT: 'http://c' }, 'http://a'],
    ['otherwise MOONBASE_URL', {}, { MOONBASE_URL: 'http://b', HF_ENDPOINT: 'http://c' }, 'http://b'],
    ['otherwise HF_ENDPOINT', {}, { MOONBASE_URL: ' ', HF_ENDPOINT: 'https://c/hub' }, 'https://c/hub'],
    ['otherwise the local hub', {}, {}, 'http://127.0.0.1:7780'],
  ])('%s', (_, options, env, hubUrl) => {
    expect(connectionOf(options, env)).toEqual({ hubUrl, accessToken: undefined });
  });

  test.each(['hub.test', 'ftp://hub.test', 'http://', 'http://hub.test?x=1', ''.padEnd(3, '/')])('never %s', (url) => {
    expect(() => connectionOf({ url }, {})).toThrow('The URL of the hub must');
  });

  test('never one with a password, which the error does not repeat', () => {
    const connect = () => connectionOf({ url: 'http://ada:pass1234@hub.test' }, {});
    expect(connect).toThrow('must not contain');
    expect(connect).not.toThrow('pass1234');
  });
});

describe('the token is', () => {
  test.each([
    ['MOONBASE_TOKEN if it is set', {}, { MOONBASE_TOKEN: 'hf_b\n', HF_TOKEN: 'hf_c' }, 'hf_b'],
    ['otherwise HF_TOKEN', {}, { MOONBASE_TOKEN: '', HF_TOKEN: 'hf_c' }, 'hf_c'],
  ])('%s', (_, options, env, token) => {
    expect(connectionOf(options, env).accessToken).toBe(token);
  });

  test('a single word; anything else is refused, and the error does not repeat it', () => {
    const connect = () => connectionOf({}, { HF_TOKEN: 'hf_a\nhf_b' });
    expect(connect).toThrow('one word');
    expect(connect).not.toThrow('hf_a');
  });
});
