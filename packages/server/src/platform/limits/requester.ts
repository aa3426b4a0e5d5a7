import type { ReadingCaller } from '../http/authenticate.ts';
import { addressBlock } from './address-block.ts';

/** Returns by whom work is counted and shared fairly: the user, or the address of a request without credentials. */
export const requesterOf = ({ principal, address }: Pick<ReadingCaller, 'principal' | 'address'>): string =>
  principal.userId ?? addressBlock(address);
