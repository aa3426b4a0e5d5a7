import { Button, Group, Text } from '@mantine/core';
import type { TreeItem } from '@moonbase/client/content';
import { fileIn, listFiles } from '@moonbase/client/files';
import { Link } from 'wouter';
import { useHub } from '../session/session.tsx';
import { useEntries } from '../ui/entries.ts';
import { To } from '../ui/link.tsx';
import { PagedList } from '../ui/lists/paged-list.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Gate } from './access/gate.tsx';
import { snippetsFor } from './card/snippets.ts';
import { UseThis } from './card/use-this.tsx';
import { Facts } from './facts.tsx';
import { Frame, RevisionSelect } from './frame.tsx';
import { bytesText, hrefOf, type Place } from './place.ts';
import { Readme } from './readme.tsx';

/** The files and folders of a folder, and its README. */
export function Folder({ place }: { readonly place: Place }) {
  const { type, repo, revision, path } = place;
  const hub = useHub();
  const { query, more } = useEntries(['tree', type, repo, revision, path], (options) =>
    listFiles({ ...hub, type, repo, revision, folder: path, expand: true, ...options }),
  );
  const readme = query.data?.find((entry) => entry.type === 'file' && /(^|\/)readme\.md$/i.test(entry.path));
  return (
    <Frame
      place={place}
      title={path === '' ? undefined : path.slice(path.lastIndexOf('/') + 1)}
      actions={
        <>
          {path === '' && (
            <UseThis
              what={type === 'space' ? 'Space' : type}
              repo={repo}
              snippets={snippetsFor({ ...place, ...hub, home: hrefOf({ ...place, page: 'tree', revision: 'main' }) })}
            />
          )}
          <Button component={Link} href={hrefOf({ ...place, page: 'new' })} variant="default">
            New file
          </Button>
          <Button component={Link} href={hrefOf({ ...place, page: 'upload' })}>
            Upload
          </Button>
        </>
      }
    >
      {path === '' && revision === 'main' && <Facts place={place} />}
      <Group mb="sm">
        <RevisionSelect place={place} />
      </Group>
      <Gate place={place} error={query.error}>
        <Loaded query={query}>
          {(entries) =>
            entries.length === 0 ? (
              <Empty title="No files" />
            ) : (
              <PagedList label="Files and folders" more={more} busy={query.isPlaceholderData}>
                {[...entries].sort(foldersFirst).map((entry) => (
                  <Row key={entry.path} entry={entry} place={place} />
                ))}
              </PagedList>
            )
          }
        </Loaded>
      </Gate>
      {readme && <Readme place={{ ...place, page: 'blob', path: readme.path }} />}
    </Frame>
  );
}

/** The beginning of a commit's title that fits beside the name of a file; it is cut here since a style would clip each of 10,000 rows, which halves the frames of scrolling. */
const FITS = /^.{40}(?=.)/su;
const shortened = (title: string): string => {
  const [beginning] = FITS.exec(title) ?? [];
  return beginning === undefined ? title : `${beginning.trimEnd()}…`;
};

const rank = ({ type }: TreeItem): number => (type === 'directory' ? 0 : 1);
const foldersFirst = (a: TreeItem, b: TreeItem): number => rank(a) - rank(b);

function Row({ entry, place }: { readonly entry: TreeItem; readonly place: Place }) {
  const isFolder = entry.type === 'directory';
  const { path, lastCommit } = entry;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    <Group component="li" className="row" px="md" py={8} gap="sm" wrap="nowrap">
      <div className="fills">
        <To href={hrefOf({ ...place, page: isFolder ? 'tree' : 'blob', path })} className="row-title" fz={15}>
          {isFolder ? `${name}/` : name}
        </To>
      </div>
      <Text size="xs" c="dimmed" className="figures no-wrap">
        {!isFolder && bytesText(fileIn(entry).size)}
      </Text>
      <Text size="xs" c="dimmed" w={240} visibleFrom="sm" title={lastCommit?.title}>
        {lastCommit && shortened(lastCommit.title)}
      </Text>
      <Text size="xs" c="dimmed" miw={84} ta="right">
        {lastCommit && <Time at={lastCommit.date} />}
      </Text>
    </Group>
  );
}
