import { isIP } from 'node:net';

/** Returns an IP address in the form that is stored and searched; undefined if the text is not an address. */
export function ipAddress(text: string): string | undefined {
  const address = text.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').replace(/%.*$/, '');
  switch (isIP(address)) {
    case 4:
      return address;
    case 6:
      return new URL(`http://[${address}]`).hostname.slice(1, -1);
    default:
      return undefined;
  }
}
