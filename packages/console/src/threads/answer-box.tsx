import { Button, Group, Paper, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { MarkdownField } from '../ui/forms/markdown-field.tsx';
import { useUnsaved } from '../ui/forms/unsaved.ts';
import { Refused } from '../ui/refused.tsx';

/** A box for a comment; Control+Enter sends it. The text stays if sending fails. */
export function AnswerBox(props: {
  readonly label?: string;
  readonly action?: string;
  /** The text of the comment to edit; absent for a new comment. */
  readonly initial?: string;
  readonly send: (comment: string) => Promise<unknown>;
  readonly cancel?: () => void;
  /** Renders further actions on the thread, which receive the text. */
  readonly more?: (comment: string, clear: () => void) => ReactNode;
}) {
  const { label = 'Answer', action = 'Comment', initial = '', send, cancel, more } = props;
  const [comment, setComment] = useState(initial);
  useUnsaved(comment.trim() !== '' && comment !== initial);
  const clear = () => setComment('');
  const sending = useMutation({ mutationFn: send, onSuccess: cancel ?? clear });
  const submit = () => {
    if (comment.trim() !== '' && !sending.isPending) sending.mutate(comment);
  };
  return (
    <Paper withBorder p="md">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack gap="sm">
          <MarkdownField
            label={label}
            minRows={3}
            maxRows={16}
            // The box opened because of a button, so it takes the focus.
            autoFocus={cancel !== undefined}
            value={comment}
            change={setComment}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
              if (event.key === 'Escape') cancel?.();
            }}
          />
          <Refused error={sending.error} mt="0" />
          <Group justify="flex-end" gap="xs">
            {more?.(comment, clear)}
            {cancel && (
              <Button variant="default" onClick={cancel}>
                Cancel
              </Button>
            )}
            <Button type="submit" loading={sending.isPending} disabled={comment.trim() === ''}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
