import { engine } from './hub.ts';

/** Returns SQL for a table `n` whose column `i` has the whole numbers of a range. */
export const numbers = (first: number, last: number): string =>
  engine === 'sqlite'
    ? `(with recursive n (i) as (select ${first} union all select i + 1 from n where i < ${last}) select i from n) as n`
    : `generate_series(${first}, ${last}) as n (i)`;

/** Returns SQL for a number with a fixed count of hexadecimal digits. */
export const hex = (value: string, width: number): string =>
  engine === 'sqlite' ? `printf('%0${width}x', ${value})` : `lpad(to_hex(${value}), ${width}, '0')`;
