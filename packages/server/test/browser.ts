import type { TestHub } from './harness.ts';

export interface BrowserAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every form.
  readonly body: any;
  readonly cookie: string | null;
  readonly headers: Headers;
}

interface Options {
  /** The origin of the page. */
  readonly origin?: string;
  /** The address of the hub in browsers. */
  readonly home?: string;
}

/** Opens a browser with a page of the hub, which sends its cookies and the origin of the page. */
export function openBrowser(hub: Pick<TestHub, 'url'>, { home = hub.url, origin = home }: Options = {}) {
  const cookies = new Map<string, string>();
  return {
    cookies,
    /** Sends `METHOD /path` with a JSON body; `headers` override those of the browser. */
    async ask(request: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<BrowserAnswer> {
      const [method = '', path = ''] = request.split(' ');
      const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(hub.url + path, {
        method,
        headers: {
          ...(method === 'GET' ? { 'sec-fetch-site': origin === home ? 'same-origin' : 'same-site' } : { origin }),
          ...(sent !== '' && { cookie: sent }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const cookie = response.headers.get('set-cookie');
      for (const given of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(given) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const text = await response.text();
      return {
        status: response.status,
        body: text === '' ? undefined : JSON.parse(text),
        cookie,
        headers: response.headers,
      };
    },
  };
}
