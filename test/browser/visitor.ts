import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { chromiumPath } from './chromium.ts';

export type Colours = 'light' | 'dark';

export const DESKTOP = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 720 };

export interface Visitor extends AsyncDisposable {
  readonly page: Page;
  /** Complaints of the browser: script errors, violations of the content security policy, failed loads. */
  readonly complaints: string[];
  /** The requests of the page other than GET, each as method and path. */
  readonly changes: string[];
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === undefined) throw new Error('There is no Chromium; run test/browser/install-chromium.ts');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

let shared: Promise<Browser> | undefined;

/** Returns the browser of this process, which its test files share; it ends with the process. */
export async function browserOfProcess(): Promise<Browser> {
  const browser = await shared;
  if (browser?.isConnected()) return browser;
  shared = openBrowser();
  return shared;
}

interface Options {
  /** The access token that the browser signs in with. */
  readonly token?: string | undefined;
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
  const changes: string[] = [];
  page.on('request', (request) => {
    if (!['GET', 'HEAD'].includes(request.method()))
      changes.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
  });
  return { page, complaints, changes, [Symbol.asyncDispose]: () => context.close() };
}

/** Confirms a question whose title contains a text, by the button with exactly this label, and waits until it is done. */
export async function agree(page: Page, question: string, action: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: question });
  await dialog.getByRole('button', { name: action, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  // The pointer would hover over whatever the dialog has covered.
  await page.mouse.move(0, 0);
}
