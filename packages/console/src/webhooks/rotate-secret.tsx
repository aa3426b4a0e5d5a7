import { Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import { part } from '../ui/updates/part.ts';

const Rotation = part(() => import('./rotation.tsx').then((page) => page.Rotation));

/** Replaces the secret of a webhook; for a while, deliveries are also signed with the old one. */
export function RotateSecret({ webhookId }: { readonly webhookId: string }) {
  const [opened, setOpened] = useState<boolean>();
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        Rotate secret
      </Button>
      <Suspense>
        {opened !== undefined && <Rotation webhookId={webhookId} opened={opened} close={() => setOpened(false)} />}
      </Suspense>
    </>
  );
}
