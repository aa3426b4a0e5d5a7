import type { MaybePromise } from './maybe.ts';

/** HMAC-SHA256 of a text and the bytes behind it, in base64. */
export type Hmac = (key: Bytes, head: string, body: Bytes) => MaybePromise<string>;

export type Bytes = Uint8Array<ArrayBuffer>;

/** A request, as an adapter hands it over. */
export interface IncomingRequest {
  readonly method: string;
  /** The whole path, without the query. */
  readonly path: string;
  /** The value of a header; the name in small letters. */
  readonly header: (name: string) => string | undefined;
  /** The bytes of the body as they came, or nothing when there are more than `limit`. Called once at the most. */
  body(limit: number): Promise<Bytes | undefined>;
  /** Where the runtime has a faster one than Web Crypto. */
  readonly hmac?: Hmac;
}
