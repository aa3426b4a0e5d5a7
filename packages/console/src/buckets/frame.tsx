import type { ReactNode } from 'react';
import { useRights } from '../threads/rights.ts';
import { Page } from '../ui/page.tsx';
import { Sections } from '../ui/sections.tsx';
import { Trail } from '../ui/trail.tsx';
import { type BucketPlace, hrefOfBucket } from './place.ts';

/** Returns whether the user may write to a bucket, as far as the console knows; the hub decides. */
export const useMayWriteTo = (repo: string): boolean => useRights(repo.split('/')[0] ?? '').write;

/** A page of a bucket: its owner and its parent folders, its parts, and the content. */
export function BucketFrame(props: {
  readonly place: BucketPlace;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const { place, actions, children } = props;
  const { repo, page, path } = place;
  const mayWrite = useMayWriteTo(repo);
  const home = { ...place, page: 'tree', path: '' } as const;
  const [owner = ''] = repo.split('/');
  const folders = path === '' ? [] : path.split('/');
  const title = folders.at(-1) ?? repo;
  const above = [
    { href: `/${encodeURIComponent(owner)}`, name: owner },
    ...(folders.length === 0 ? [] : [{ href: hrefOfBucket(home), name: repo }]),
    ...folders
      .slice(0, -1)
      .map((name, at) => ({ href: hrefOfBucket({ ...home, path: folders.slice(0, at + 1).join('/') }), name })),
  ];
  const part = page === 'settings' ? 'Settings' : folders.length > 0 ? title : 'Bucket';
  return (
    <Page title={title} tab={`${part} · ${repo}`} above={<Trail above={above}>{title}</Trail>} actions={actions}>
      <Sections
        label="Parts of the bucket"
        sections={[
          { href: hrefOfBucket(home), name: 'Files' },
          ...(mayWrite ? [{ href: hrefOfBucket({ ...home, page: 'settings' }), name: 'Settings' }] : []),
        ]}
      />
      {children}
    </Page>
  );
}
