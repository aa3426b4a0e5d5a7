import { Box, Button, Group, Paper, Text, type TextareaProps } from '@mantine/core';
import type { FileRepo } from '@moonbase/client/files';
import { Suspense, useState } from 'react';
import { Broken } from '../broken.tsx';
import { part } from '../updates/part.ts';
import { CompletedTextarea } from './completion/completed-textarea.tsx';

const Preview = part(() => import('../markdown/preview.tsx').then((page) => page.Preview));

const MAX_LENGTH = 65536;

/** A field for a text in Markdown, with a preview. */
export function MarkdownField(props: {
  readonly label: string;
  readonly value: string;
  readonly change: (text: string) => void;
  readonly minRows: number;
  readonly maxRows: number;
  readonly autoFocus?: boolean;
  readonly onKeyDown?: TextareaProps['onKeyDown'];
  /** The repository whose discussions `#` completes; absent: `#` completes nothing. */
  readonly repo?: FileRepo | undefined;
}) {
  const { label, value, change, minRows, maxRows, autoFocus = false, onKeyDown, repo } = props;
  const [isPreview, setIsPreview] = useState(false);
  const description = repo
    ? 'Markdown. @name notifies somebody; # and a number or a title names a discussion.'
    : 'Markdown. @name notifies somebody.';
  return (
    <Box>
      {isPreview ? (
        <>
          <Text size="sm" fw={500} mb={4}>
            {label}
          </Text>
          <Paper withBorder p="sm" component="section" aria-label={`Preview of ${label}`} mih={24 * minRows}>
            <Broken>
              <Suspense>
                {value.trim() === '' ? <Text c="dimmed">Nothing to preview</Text> : <Preview text={value} />}
              </Suspense>
            </Broken>
          </Paper>
        </>
      ) : (
        <CompletedTextarea
          field={{ label, description, minRows, maxRows, autoFocus, autosize: true, maxLength: MAX_LENGTH }}
          value={value}
          change={change}
          onKeyDown={onKeyDown}
          repo={repo}
        />
      )}
      <Group justify="flex-end" mt={4}>
        <Button size="compact-xs" variant="default" aria-pressed={isPreview} onClick={() => setIsPreview(!isPreview)}>
          Preview
        </Button>
      </Group>
    </Box>
  );
}
