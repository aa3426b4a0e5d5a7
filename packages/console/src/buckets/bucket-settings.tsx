import { Stack } from '@mantine/core';
import { Deletion } from '../repos/settings/deletion.tsx';
import { Move } from '../repos/settings/move.tsx';
import { Visibility } from '../repos/settings/visibility.tsx';
import { Loaded } from '../ui/states.tsx';
import { BucketFrame } from './frame.tsx';
import { type BucketPlace, hrefOfBucket } from './place.ts';
import { useBucket } from './use-bucket.ts';

/** The settings of a bucket. The hub decides who may change them. */
export function BucketSettings({ place }: { readonly place: BucketPlace }) {
  const { repo } = place;
  const query = useBucket(repo);
  const named = { type: 'bucket', repo } as const;
  return (
    <BucketFrame place={place}>
      <Loaded query={query}>
        {(bucket) => (
          <Stack>
            <Visibility place={named} isPrivate={bucket.private} />
            <Move key={repo} place={named} hrefAt={(to) => hrefOfBucket({ ...place, repo: to })} />
            <Deletion place={named} />
          </Stack>
        )}
      </Loaded>
    </BucketFrame>
  );
}
