import { Button, Paper, Text, Title } from '@mantine/core';
import { exportOwnData, exportUserData } from '@moonbase/client/personal-data';
import type { Hub } from '@moonbase/client/request';
import { useMutation } from '@tanstack/react-query';
import { useHub } from '../session/session.tsx';
import { Refused } from '../ui/refused.tsx';
import { saveFile } from '../ui/save-file.ts';

/** Downloads what the hub has about a user, in one file. */
export function DownloadData({ of }: { readonly of: { readonly name: string } | 'me' }) {
  const hub = useHub();
  const isOwn = of === 'me';
  const download = useMutation({
    mutationFn: async () => {
      // The user reads why the hub is too busy, instead of waiting for it.
      const given: Hub = { ...hub, retry: false };
      const { fileName = 'personal-data.ndjson', text } = await (isOwn
        ? exportOwnData(given)
        : exportUserData({ ...given, username: of.name }));
      saveFile(await new Response(text).blob(), fileName);
    },
  });
  return (
    <Paper withBorder p="md" component="section" aria-label="Personal data">
      <Title order={2} mb="xs">
        Personal data
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {isOwn
          ? 'Everything that this hub has about you, in one file without secrets: your account, what you wrote, and what you set up.'
          : `Everything that this hub has about ${of.name}, in one file without secrets; the audit log records who downloads it.`}
      </Text>
      <Button variant="default" loading={download.isPending} onClick={() => download.mutate()}>
        {isOwn ? 'Download your data' : 'Download the data'}
      </Button>
      <Refused error={download.error} />
    </Paper>
  );
}
