import { Code } from '@mantine/core';

/** A text in which everything between backquotes is code. */
export const Prose = ({ text }: { readonly text: string }) =>
  text.split(/(`[^`]+`)/).map((part, at) => {
    const isCode = at % 2 === 1;
    // biome-ignore lint/suspicious/noArrayIndexKey: a text does not change
    return isCode ? <Code key={at}>{part.slice(1, -1)}</Code> : part;
  });
