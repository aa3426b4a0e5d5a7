import { Button, Group, Paper, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Failure } from '../ui/states.tsx';

/** Writes a comment; Control and Enter send it. What is written stays where sending fails. */
export function AnswerBox(props: {
  readonly send: (comment: string) => Promise<unknown>;
  /** What else can be done with the thread, given what is written. */
  readonly more?: (comment: string, clear: () => void) => ReactNode;
}) {
  const { send, more } = props;
  const [comment, setComment] = useState('');
  const clear = () => setComment('');
  const sending = useMutation({ mutationFn: send, onSuccess: clear });
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
          <Textarea
            label="Answer"
            description="Markdown. @name tells somebody."
            autosize
            minRows={3}
            maxRows={16}
            maxLength={65536}
            value={comment}
            onChange={(event) => setComment(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
            }}
          />
          {sending.error && <Failure error={sending.error} />}
          <Group justify="flex-end" gap="xs">
            {more?.(comment, clear)}
            <Button type="submit" loading={sending.isPending} disabled={comment.trim() === ''}>
              Comment
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
