import { beginSecondFactor, confirmSecondFactor, type NewSecondFactor } from '@moonbase/client/second-factors';
import type { QueryKey } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useHub } from '../../../session/session.tsx';
import { Proof, useProvenAct } from '../../../sign-in/proven-act.tsx';
import { FirstCode } from './first-code.tsx';

/** Creates a secret, shows it for an authenticator, and asks for its first code. */
export function NewAuthenticator(props: {
  readonly changes: readonly QueryKey[];
  /** Called with the recovery codes. */
  readonly onConfirmed: (codes: readonly string[]) => void;
}) {
  const hub = useHub();
  const [made, setMade] = useState<NewSecondFactor>();
  const beginning = useProvenAct();
  const { act } = beginning;
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    act(async () => setMade(await beginSecondFactor(hub)));
  }, [act, hub]);
  return made ? (
    <FirstCode
      made={made}
      changes={props.changes}
      action="Turn it on"
      confirm={async (code) =>
        props.onConfirmed((await confirmSecondFactor({ ...hub, retry: false, code })).recoveryCodes)
      }
    />
  ) : (
    <Proof of={beginning} />
  );
}
