import { Box, Button, CopyButton } from '@mantine/core';
import { useMemo } from 'react';

const TOKENS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/g;

/** Shows JSON with names and values in colours, and a button that copies the text. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value]);
  return (
    <Box pos="relative">
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button size="compact-xs" variant="default" pos="absolute" top={8} right={8} onClick={copy}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <section className="scrolls" aria-label={label} tabIndex={0}>
        <pre className="code">{useMemo(() => highlighted(text), [text])}</pre>
      </section>
    </Box>
  );
}

function highlighted(text: string) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [whole, quoted, colon] = match;
    const kind = quoted === undefined ? 'json-other' : colon === undefined ? 'json-text' : 'json-key';
    const token = quoted ?? whole;
    parts.push(
      text.slice(end, match.index),
      <span key={match.index} className={kind}>
        {token}
      </span>,
    );
    end = match.index + token.length;
  }
  return [...parts, text.slice(end)];
}
