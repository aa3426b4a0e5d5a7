import { Button } from '@mantine/core';
import { useState } from 'react';
import { ShownOnce } from '../ui/secrets/shown-once.tsx';

const BYTES = 24;

/** Makes a secret in the form of Standard Webhooks, for the field beside it, and shows it to be copied as long as it is in use. */
export function GeneratedSecret(props: { readonly secret: string; readonly use: (secret: string) => void }) {
  const { secret, use } = props;
  const [made, setMade] = useState('');
  const generate = () => {
    const secret = `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(BYTES))))}`;
    setMade(secret);
    use(secret);
  };
  return (
    <div>
      <Button size="compact-sm" variant="default" onClick={generate}>
        Generate a secret
      </Button>
      {made !== '' && made === secret && (
        <ShownOnce title="The secret is in the field" value={made} what="the secret">
          Give it to the receiver now.
        </ShownOnce>
      )}
    </div>
  );
}
