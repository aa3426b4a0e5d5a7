import type { SignedIn } from '@moonbase/client/authentication';
import { CodeForm } from './code-form.tsx';
import { RequiredFactor } from './required-factor.tsx';

/** What is left of a sign-in: a code, or setting up the second factor that the hub demands. */
export type LeftStep = 'code' | 'set-up';

/** Returns the step that is left after the first one; undefined where somebody is signed in. */
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
