import { Box, Button, Group, Paper, Text, Textarea, type TextareaProps } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Broken } from '../broken.tsx';

const Preview = lazy(() => import('../markdown/preview.tsx').then((part) => ({ default: part.Preview })));

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
}) {
  const { label, value, change, minRows, maxRows, autoFocus = false, onKeyDown } = props;
  const [isPreview, setIsPreview] = useState(false);
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
        <Textarea
          label={label}
          description="Markdown. @name tells somebody."
          autosize
          minRows={minRows}
          maxRows={maxRows}
          maxLength={MAX_LENGTH}
          autoFocus={autoFocus}
          value={value}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={onKeyDown}
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
