import type { ReactNode } from 'react'

/** The keys of the queue. `opens`: Enter opens the post. */
export const QueueKeys = ({ opens = false }: { opens?: boolean }) => (
  <>
    Keys: <Key>j</Key> next, <Key>k</Key> previous,{' '}
    {opens && (
      <>
        <Key>Enter</Key> open,{' '}
      </>
    )}
    <Key>a</Key> approve, <Key>s</Key> set aside, <Key>u</Key> undo
  </>
)

const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded-md border border-edge bg-sunk px-1">{children}</kbd>
)
