/** Creates blocks of memory that are used again, instead of being allocated and collected for every use. */
export function createBlocks<Block>(create: () => Block, maxFree: number) {
  const free: Block[] = [];
  return {
    /** Returns a block with any content. */
    take: (): Block => free.pop() ?? create(),
    /** Takes a block back; the caller cannot use it any more. */
    give(block: Block): void {
      if (free.length < maxFree) free.push(block);
    },
  };
}
