import { existsSync } from 'node:fs';

/** The browser of the system, where Debian and others put it. */
export const chromiumPath = (): string | undefined =>
  [
    process.env.MOONBASE_TEST_CHROMIUM ?? '',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path !== '' && existsSync(path));

/** Why no browser test can run here; undefined where they can. In continuous integration they always run. */
export const noBrowser: string | undefined =
  chromiumPath() === undefined && process.env.CI !== 'true' ? 'there is no Chromium here' : undefined;
