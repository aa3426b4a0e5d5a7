import { describe, expect, test } from 'vitest';
import { parseHubDocument } from './hub-document.ts';
import { UsageError } from './program/failure.ts';

describe('a document', () => {
  test.each([
    ['YAML', 'users:\n  - name: ada\n'],
    ['JSON', '{\n\t"users": [{ "name": "ada" }]\n}'],
  ])('may be %s', (_, source) => {
    expect(parseHubDocument(source, 'hub.yaml')).toEqual({ users: [{ name: 'ada' }] });
  });

  test.each([
    ['empty', ''],
    ['a list', '- name: ada'],
    ['a word', 'users'],
  ])('is never %s', (_, source) => {
    expect(() => parseHubDocument(source, 'hub.yaml')).toThrow('hub.yaml must be a mapping of users');
  });

  test('never has a part that the hub would ignore', () => {
    expect(() => parseHubDocument('user: [{ name: ada }]', 'hub.yaml')).toThrow(
      'hub.yaml must not have user: its parts are users, organizations, repos, papers, posts and articles',
    );
  });

  test.each([
    ['a bad line', 'users:\n  - token: hf_secret: x', 'at line 2, column 12'],
    ['a duplicate key', 'a: 1\na: 2', 'Map keys must be unique at line 2, column 1'],
    ['an unresolved alias', 'a: *nothing', 'Unresolved alias'],
  ])('with %s is refused; the error gives the reason but does not repeat the text', (_, source, reason) => {
    const parsing = () => parseHubDocument(source, 'hub.yaml');
    expect(parsing).toThrow(UsageError);
    expect(parsing).toThrow(reason);
    expect(parsing).not.toThrow('hf_secret');
  });
});
