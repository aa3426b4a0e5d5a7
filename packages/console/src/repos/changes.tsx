import { Paper, Stack, Text } from '@mantine/core';
import { Empty } from '../ui/states.tsx';

const MAX_LINES = 20_000;

interface ChangedFile {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Splits a unified diff from git into its files; a comment at the end becomes a part of its own. */
function filesIn(diff: string): ChangedFile[] {
  const parts = diff.replace(/\n$/, '').split(/\n(?=diff --git |# )/);
  return parts.map((part) => {
    const lines = part.split('\n');
    const [first = ''] = lines;
    const name = /^diff --git a\/(.+) b\/\1$/.exec(first)?.[1] ?? first.replace(/^(diff --git|#) /, '');
    const begin = lines.findIndex((line) => line.startsWith('@@'));
    return { name, lines: begin < 0 ? lines.slice(1) : lines.slice(begin) };
  });
}

const KINDS: Readonly<Record<string, string>> = { '+': 'added', '-': 'removed', '@': 'hunk' };

/** The changes of a commit or a pull request: each file with its added and removed lines. */
export function Changes({ diff }: { readonly diff: string }) {
  if (diff === '') return <Empty title="No file changes" />;
  return (
    <Stack gap="md">
      {filesIn(diff).map(({ name, lines }) => (
        <Paper key={name} component="section" withBorder aria-label={name}>
          <Text size="sm" ff="monospace" fw={600} px="md" py="xs" className="breaks">
            {name}
          </Text>
          {lines.length > 0 && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keyboard
            <pre className="changed-lines" tabIndex={0}>
              {lines.slice(0, MAX_LINES).map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff never change places
                <span key={at} className={KINDS[line.charAt(0)]}>
                  {`${line}\n`}
                </span>
              ))}
            </pre>
          )}
          {lines.length > MAX_LINES && (
            <Text size="sm" c="dimmed" px="md" py="xs">
              {lines.length - MAX_LINES} more lines are not shown.
            </Text>
          )}
        </Paper>
      ))}
    </Stack>
  );
}
