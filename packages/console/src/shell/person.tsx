import { UnstyledButton } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Broken } from '../ui/broken.tsx';
import { part } from '../ui/updates/part.ts';
import { Face } from './face.tsx';

const AccountMenu = part(() => import('./account-menu.tsx').then((page) => page.AccountMenu));

/** The button of the signed-in user. Its menu is loaded when it is opened first. */
export function Person() {
  const [isAsked, setIsAsked] = useState(false);
  const button = (
    <UnstyledButton p={4} aria-haspopup="menu" aria-expanded={false} onClick={() => setIsAsked(true)}>
      <Face />
    </UnstyledButton>
  );
  if (!isAsked) return button;
  return (
    <Broken>
      <Suspense fallback={button}>
        <AccountMenu />
      </Suspense>
    </Broken>
  );
}
