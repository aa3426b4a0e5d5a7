/** HMAC-SHA256 of a content with a key. */
export type Hmac = (key: Uint8Array<ArrayBuffer>, content: Uint8Array<ArrayBuffer>) => Promise<Uint8Array> | Uint8Array;

/** A request, as an adapter hands it over. */
export interface IncomingRequest {
  readonly method: string;
  /** The whole path, without the query. */
  readonly path: string;
  /** The value of a header; the name in small letters. */
  header(name: string): string | undefined;
  /** The bytes of the body as they came, or nothing when there are more than `limit`. Called once at the most. */
  body(limit: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Where the runtime has a faster one than Web Crypto. */
  readonly hmac?: Hmac;
}
