import { expect, test } from 'vitest';
import { pathFault } from './local-path.ts';

test.each([
  ...['', '/etc/passwd', '//host/share', '..', '../x', 'a/../../x', 'a/..', './a', 'a//b', 'a/'],
  ...['a\\..\\..\\x', 'C:\\x', '\\\\host\\share', 'a\0b', 'a\nb', 'a\u001bb', 'a\u009bb'],
  ...['.git/hooks/post-checkout', 'a/.GIT/config', '.git', 'git~1/config', '.git /config', '.git./config'],
])('%j is refused as a path inside a folder', (path) => {
  expect(pathFault(path, 'linux')).toBeTypeOf('string');
  expect(pathFault(path, 'win32')).toBeTypeOf('string');
});

test.each([
  ...['C:/x', 'c:x', 'a:b', 'con', 'CON.txt', 'a/nul', 'aux.h', 'com1', 'lpt9.log', 'COM¹', 'conin$'],
  ...['a.', 'a ', 'a/b. ', 'x*', 'x?', 'x"', 'x|y', 'x<y'],
])('%j is a valid name on Linux, but not on Windows', (path) => {
  expect(pathFault(path, 'win32')).toBe('is not a valid name on Windows');
  expect(pathFault(path, 'linux')).toBeUndefined();
});

test.each(['a', 'a/b.txt', '.gitattributes', '.github/x', 'a b#%ü', '...', '..a', 'a..', 'console', 'git'])(
  '%j is accepted as a path inside a folder',
  (path) => expect(pathFault(path, 'linux')).toBeUndefined(),
);
