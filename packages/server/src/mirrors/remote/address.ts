/** Where a remote is, and how the hub identifies itself there. */
export interface RemoteAddress {
  readonly url: string;
  readonly username: string;
  readonly token: string | undefined;
}

/** Returns the header that sends a token as the password of a user. */
export const basicAuthorization = ({ username, token }: RemoteAddress): string | undefined =>
  token && `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
