import type { SignedIn } from '@moonbase/client/authentication';
import { CodeForm } from './code-form.tsx';
import { RequiredFactor } from './required-factor.tsx';

/** The remaining step of a sign-in: a code, or the set-up of a required second factor. */
export type LeftStep = 'code' | 'set-up';

/** Returns the remaining step after the first one; undefined if the user is signed in. */
export function leftStep({ secondFactor, setUp }: SignedIn): LeftStep | undefined {
  if (!secondFactor) return undefined;
  return setUp ? 'set-up' : 'code';
}

/** The second step of signing in. */
export function SecondStep(props: {
  readonly left: LeftStep;
  readonly onSignedIn: () => void;
  readonly onExpired: () => void;
}) {
  const { left, onSignedIn, onExpired } = props;
  if (left === 'code') return <CodeForm onSignedIn={onSignedIn} onExpired={onExpired} />;
  return <RequiredFactor onSignedIn={onSignedIn} onExpired={onExpired} />;
}
