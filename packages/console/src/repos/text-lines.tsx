import { Text } from '@mantine/core';

const MAX_LINES = 20_000;

/** A text with line numbers, which cannot be selected. */
export function TextLines({ text }: { readonly text: string }) {
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, MAX_LINES);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard */}
      <section className="text-lines" aria-label="Content" tabIndex={0}>
        <pre className="line-numbers" aria-hidden="true">
          {shown.map((_, at) => at + 1).join('\n')}
        </pre>
        <pre className="lines">{shown.join('\n')}</pre>
      </section>
      {lines.length > MAX_LINES && (
        <Text size="sm" c="dimmed" mt="xs">
          {lines.length - MAX_LINES} more lines are not shown.
        </Text>
      )}
    </>
  );
}
