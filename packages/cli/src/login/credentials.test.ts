import { expect, test } from 'vitest';
import { credentialsFile } from './credentials.ts';

const APPDATA = 'C:\\Users\\ada\\AppData\\Roaming';

test.each<[NodeJS.Platform, Readonly<Record<string, string>>, string | undefined]>([
  ['linux', { HOME: '/home/ada' }, '/home/ada/.config/moonbase/credentials.json'],
  ['darwin', { HOME: '/Users/ada' }, '/Users/ada/.config/moonbase/credentials.json'],
  ['linux', { HOME: '/home/ada', XDG_CONFIG_HOME: '/etc/ada' }, '/etc/ada/moonbase/credentials.json'],
  ['linux', { APPDATA }, undefined],
  ['win32', { APPDATA }, `${APPDATA}\\moonbase\\credentials.json`],
  ['win32', { APPDATA, XDG_CONFIG_HOME: 'D:\\config' }, 'D:\\config\\moonbase\\credentials.json'],
  ['win32', { APPDATA: ' ' }, undefined],
])('on %s with %o, the credentials are in %s', (platform, env, file) => {
  expect(credentialsFile(env, platform)).toBe(file);
});
