/** Where endpoints are: below one path, each under a name. */
export interface Endpoints<H> {
  /** Throws an `Error` for a name that is taken, a `TypeError` for none. */
  add(name: string, handler: H): void;
  find(path: string): { readonly path: string; readonly handler: H } | undefined;
  /** In the order of registration. */
  paths(): string[];
}

const trim = (path: string): string => path.replace(/^\/+|\/+$/g, '');

/** The path that everything is below, with a slash in front and none behind. */
export const basePathOf = (path: string): string => `/${trim(path)}`;

export function createEndpoints<H>(base: string): Endpoints<H> {
  const handlers = new Map<string, H>();
  return {
    add(name, handler) {
      if (trim(name) === '') throw new TypeError('A webhook needs a path, or a handler that is a named function');
      const path = `${base}/${trim(name)}`;
      if (handlers.has(path)) throw new Error(`Webhook ${path} already exists.`);
      handlers.set(path, handler);
    },
    find(asked) {
      const path = decoded(asked);
      const handler = handlers.get(path);
      return handler && { path, handler };
    },
    paths: () => [...handlers.keys()],
  };
}

function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
