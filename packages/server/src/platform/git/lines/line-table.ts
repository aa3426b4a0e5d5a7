import type { Pause } from '../../cooperative.ts';
import type { ByteText } from '../objects/byte-text.ts';

/** The lines of a text with their newlines, which only the last line may lack. */
export interface Lines {
  readonly texts: readonly ByteText[];
  /** The number of each line; equal lines have equal numbers in all texts of a table. */
  readonly ids: Int32Array;
}

const LINES_PER_PAUSE = 4096;

/** Splits texts into lines and numbers the lines across all texts. */
export class LineTable {
  readonly #ids = new Map<ByteText, number>();
  readonly #pause: Pause;

  constructor(pause: Pause) {
    this.#pause = pause;
  }

  async split(body: Buffer): Promise<Lines> {
    const text: ByteText = body.toString('latin1');
    const texts: ByteText[] = [];
    const ids: number[] = [];
    for (let from = 0; from < text.length; ) {
      const newline = text.indexOf('\n', from);
      const to = newline < 0 ? text.length : newline + 1;
      const line = text.slice(from, to);
      texts.push(line);
      ids.push(this.#idOf(line));
      from = to;
      const waiting = texts.length % LINES_PER_PAUSE === 0 ? this.#pause() : undefined;
      if (waiting) await waiting;
    }
    return { texts, ids: Int32Array.from(ids) };
  }

  #idOf(line: ByteText): number {
    const known = this.#ids.get(line);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(line, id);
    return id;
  }
}
