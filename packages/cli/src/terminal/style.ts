import type { Terminal } from './terminal.ts';

/** The styles of text; each leaves the text unchanged if colours are off. */
export interface Style {
  readonly bold: (text: string) => string;
  readonly faint: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly busy: (text: string) => string;
}

/** Returns styles with colours if the terminal supports them and the user wants them (https://no-color.org). */
export function styleOf({ env, isTerminal = false }: Pick<Terminal, 'env' | 'isTerminal'>): Style {
  const on = isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
  const mark = (open: number, close: number) => (text: string) => (on ? `\x1b[${open}m${text}\x1b[${close}m` : text);
  return { bold: mark(1, 22), faint: mark(2, 22), good: mark(32, 39), bad: mark(31, 39), busy: mark(33, 39) };
}

const GOOD = new Set(['COMPLETED', 'delivered', 'active', 'done', 'approved', 'open', 'merged', 'claim_verified']);
const BAD = new Set(['ERROR', 'failed', 'suspended', 'denied', 'revoked', 'closed']);
const NEUTRAL = new Set([
  'RUNNING',
  'SCHEDULING',
  'pending',
  'retrying',
  'throttled',
  'running',
  'disabled',
  'canceled',
  'CANCELED',
]);

/** Colours a cell that contains only a state. */
export function stateStyle(text: string, style: Style): string {
  if (GOOD.has(text)) return style.good(text);
  if (BAD.has(text)) return style.bad(text);
  return NEUTRAL.has(text) ? style.busy(text) : text;
}
