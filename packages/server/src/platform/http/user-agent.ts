/** The maximum stored length of a `User-Agent`. */
const MAX_LENGTH = 500;

/** Returns the storable part of a `User-Agent`; null if there is none. */
export function storedUserAgent(userAgent: string): string;
export function storedUserAgent(userAgent: string | undefined): string | null;
export function storedUserAgent(userAgent: string | undefined): string | null {
  return userAgent?.slice(0, MAX_LENGTH) ?? null;
}
