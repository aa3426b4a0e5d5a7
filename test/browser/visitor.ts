import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumPath } from './chromium.ts';

export type Colours = 'light' | 'dark';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 720 };

export interface Visitor extends AsyncDisposable {
  readonly page: Page;
  /** Complaints of the browser: script errors, violations of the content security policy, failed loads. */
  readonly complaints: string[];
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('There is no Chromium; run test/browser/install-chromium.ts');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

interface Options {
  /** The access token that the browser signs in with. */
  readonly token?: string;
  readonly colours?: Colours;
  readonly phone?: boolean;
}

/** Opens the hub in a browser with a fresh profile. */
export async function visit(browser: Browser, hubUrl: string, options: Options = {}): Promise<Visitor> {
  const { token, colours = 'light', phone = false } = options;
  const settings: BrowserContextOptions = {
    baseURL: hubUrl,
    colorScheme: colours,
    reducedMotion: 'reduce',
    viewport: phone ? PHONE : DESKTOP,
    ...(phone && { hasTouch: true, isMobile: true }),
  };
  const context = await browser.newContext(settings);
  context.setDefaultTimeout(60_000);
  if (token !== undefined) {
    const answer = await context.request.post('/api/sign-in/token', { data: { token } });
    if (!answer.ok()) throw new Error(`Signing in failed: ${await answer.text()}`);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
  });
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}
