import { Badge, Group, Text } from '@mantine/core';
import { listBucketTree, listBucketTreeBelow } from '@moonbase/client/content';
import { useLocation } from 'wouter';
import { UseThis } from '../repos/card/use-this.tsx';
import { bytesText } from '../repos/place.ts';
import { useHub } from '../session/session.tsx';
import { NotFound } from '../shell/not-found.tsx';
import { useEntries } from '../ui/entries.ts';
import { More } from '../ui/more.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { BucketSettings } from './bucket-settings.tsx';
import { FileTable } from './file-table.tsx';
import { BucketFrame } from './frame.tsx';
import { type BucketPlace, bucketPlaceOf } from './place.ts';
import { bucketSnippets } from './snippets.ts';
import { useBucket } from './use-bucket.ts';

/** The pages of a bucket. */
export function BucketPage() {
  useLocation();
  const place = bucketPlaceOf(window.location.pathname);
  if (!place) return <NotFound />;
  return place.page === 'settings' ? <BucketSettings place={place} /> : <Folder place={place} />;
}

/** The files and folders of a folder of a bucket. */
function Folder({ place }: { readonly place: BucketPlace }) {
  const { repo, path } = place;
  const hub = useHub();
  const { query, more } = useEntries(['tree', 'bucket', repo, path], (options) => {
    const at = { ...hub, repo, recursive: false, ...options };
    return path === '' ? listBucketTree(at) : listBucketTreeBelow({ ...at, prefix: path });
  });
  return (
    <BucketFrame
      place={place}
      actions={<UseThis what="bucket" repo={repo} snippets={bucketSnippets(repo, path, hub.hubUrl)} />}
    >
      {path === '' && <Facts repo={repo} />}
      <Loaded query={query}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="No files">
              Programs send files through Xet, for example `hf sync`; "Use this bucket" shows how.
            </Empty>
          ) : (
            <>
              <FileTable place={place} entries={entries} busy={query.isPlaceholderData} />
              <More more={more} busy={query.isPlaceholderData} />
            </>
          )
        }
      </Loaded>
    </BucketFrame>
  );
}

function Facts({ repo }: { readonly repo: string }) {
  const { data } = useBucket(repo);
  if (!data) return null;
  const { totalFiles, size, updatedAt } = data;
  return (
    <Group mb="sm" gap="sm">
      {data.private && <Badge color="gray">private</Badge>}
      <Text size="sm" c="dimmed" className="figures">
        {totalFiles.toLocaleString('en')} {totalFiles === 1 ? 'file' : 'files'}, {bytesText(size)}, updated{' '}
        <Time at={updatedAt} />
      </Text>
    </Group>
  );
}
