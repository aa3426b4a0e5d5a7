import { Anchor, Button, Table } from '@mantine/core';
import { changeBucketFiles, type listBucketTree } from '@moonbase/client/content';
import { useState } from 'react';
import { bytesText } from '../repos/place.ts';
import { useHub } from '../session/session.tsx';
import { useAct } from '../ui/act.ts';
import { Confirm } from '../ui/asking/confirm.tsx';
import { To } from '../ui/link.tsx';
import { DataTable } from '../ui/lists/data-table.tsx';
import { Time } from '../ui/time.tsx';
import { useMayWriteTo } from './frame.tsx';
import { type BucketPlace, downloadOf, hrefOfBucket } from './place.ts';

type Entry = ReturnType<typeof listBucketTree> extends AsyncGenerator<infer Listed> ? Listed : never;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The files and folders of a folder: a folder leads to its content, a file is downloaded. */
export function FileTable(props: {
  readonly place: BucketPlace;
  readonly entries: readonly Entry[];
  readonly busy: boolean;
}) {
  const { place, entries, busy } = props;
  const { repo } = place;
  const mayWrite = useMayWriteTo(repo);
  return (
    <DataTable
      label="Files and folders"
      columns={['Name', 'Size', 'Uploaded', ...(mayWrite ? ['Actions'] : [])]}
      busy={busy}
    >
      {entries.map((entry) => (
        <Table.Tr key={`${entry.type} ${entry.path}`}>
          <Table.Td className="breaks">
            {entry.type === 'directory' ? (
              <To href={hrefOfBucket({ ...place, path: entry.path })}>{nameOf(entry.path)}/</To>
            ) : (
              <Anchor href={downloadOf(repo, entry.path)} download={nameOf(entry.path)}>
                {nameOf(entry.path)}
              </Anchor>
            )}
          </Table.Td>
          <Table.Td className="figures no-wrap">{entry.type === 'file' && bytesText(entry.size)}</Table.Td>
          <Table.Td className="no-wrap">{entry.type === 'file' && <Time at={entry.uploadedAt} />}</Table.Td>
          {mayWrite && <Table.Td>{entry.type === 'file' && <DeleteFile repo={repo} path={entry.path} />}</Table.Td>}
        </Table.Tr>
      ))}
    </DataTable>
  );
}

function DeleteFile({ repo, path }: { readonly repo: string; readonly path: string }) {
  const hub = useHub();
  const [opened, setOpened] = useState(false);
  const { act, busy, error, reset } = useAct(['tree', 'bucket', repo], ['repo', 'bucket', repo]);
  const close = () => {
    setOpened(false);
    reset();
  };
  const remove = async () => {
    const operations = new Blob([JSON.stringify({ type: 'deleteFile', path })], { type: 'application/x-ndjson' });
    const { failed } = await changeBucketFiles({ ...hub, repo, operations });
    if (failed[0]) throw new Error(failed[0].error);
  };
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Delete ${path}`} onClick={() => setOpened(true)}>
        Delete
      </Button>
      <Confirm
        opened={opened}
        title={`Delete ${path}?`}
        action="Delete"
        busy={busy}
        error={error}
        close={close}
        confirm={() => act(remove, close)}
      >
        A bucket has no history: nobody can bring the file back.
      </Confirm>
    </>
  );
}
