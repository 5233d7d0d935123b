import { Anchor } from '@mantine/core';

interface OutsideProps {
  /** Null or absent: there is none, or the API is of the release before. */
  readonly href: string | null | undefined;
  readonly label: string;
}

/** A way to a page of another program, which opens beside this one. */
export function Outside({ href, label }: OutsideProps) {
  return href === null || href === undefined ? null : (
    <Anchor href={href} target="_blank" rel="noreferrer" size="sm">
      {label}
    </Anchor>
  );
}
