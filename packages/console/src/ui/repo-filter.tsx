import { CloseButton, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CloseIcon } from './icons.tsx';

/** Filters a list by repository once the typing is finished; '' means no filter. */
export function RepoFilter(props: {
  readonly value: string;
  readonly placeholder: string;
  readonly change: (repo: string) => void;
}) {
  const { value, placeholder, change } = props;
  const [repo, setRepo] = useState(value);
  useEffect(() => setRepo(value), [value]);
  return (
    <form
      className="grows"
      onSubmit={(event) => {
        event.preventDefault();
        change(repo.trim());
      }}
    >
      <TextInput
        aria-label="Repository"
        placeholder={placeholder}
        value={repo}
        onChange={(event) => setRepo(event.currentTarget.value)}
        onBlur={() => repo.trim() !== value && change(repo.trim())}
        rightSection={
          value !== '' && (
            <CloseButton
              size="sm"
              aria-label="All repositories"
              icon={<CloseIcon size={16} />}
              onClick={() => change('')}
            />
          )
        }
      />
    </form>
  );
}
