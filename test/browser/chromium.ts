import { existsSync } from 'node:fs';

/** Returns the path of the system's browser, as Debian and other distributions install it. */
export const chromiumPath = (): string | undefined =>
  [
    process.env.MOONBASE_TEST_CHROMIUM ?? '',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ].find((path) => path !== '' && existsSync(path));

/** Says why no browser test can run here; undefined if they can. In continuous integration they always run. */
export const noBrowser: string | undefined =
  chromiumPath() === undefined && process.env.CI !== 'true' ? 'there is no Chromium here' : undefined;
