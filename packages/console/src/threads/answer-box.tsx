import { Button, Group, Paper, Stack } from '@mantine/core';
import type { FileRepo } from '@moonbase/client/files';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useDraft } from '../ui/forms/drafts.ts';
import { MarkdownField } from '../ui/forms/markdown-field.tsx';
import { useUnsaved } from '../ui/forms/unsaved.ts';
import { Refused } from '../ui/refused.tsx';

/** A box for a comment; Control+Enter sends it. The text goes as soon as the hub has it, and stays if sending fails. */
export function AnswerBox(props: {
  readonly label?: string;
  /** What the text belongs to, if there are several boxes with this label. */
  readonly about?: string;
  readonly action?: string;
  /** The text of the comment to edit; absent for a new comment. */
  readonly initial?: string;
  readonly send: (comment: string) => Promise<unknown>;
  readonly cancel?: (() => void) | undefined;
  /** The repository of the thread, whose discussions the text may name. */
  readonly repo?: FileRepo | undefined;
  /** Renders further actions on the thread, which receive the text, and call `clear` once the hub has it. */
  readonly more?: (comment: string, clear: () => void) => ReactNode;
}) {
  const { label = 'Answer', about = '', action = 'Comment', initial = '', send, cancel, more, repo } = props;
  const [comment, setComment] = useDraft(`${label} ${about}`, initial);
  useUnsaved(comment.trim() !== '' && comment !== initial, { isDraft: true });
  // What was typed after the text was sent is not sent yet.
  const clear = (sent: string) => setComment((now) => (now === sent ? '' : now));
  const sending = useMutation({ mutationFn: send, onSuccess: (_, sent) => (cancel ? cancel() : clear(sent)) });
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
            repo={repo}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
              if (event.key === 'Escape') cancel?.();
            }}
          />
          <Refused error={sending.error} mt="0" />
          <Group justify="flex-end" gap="xs">
            {more?.(comment, () => clear(comment))}
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
