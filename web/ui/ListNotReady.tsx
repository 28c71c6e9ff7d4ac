import type { ComponentProps } from 'react'
import { NotReady } from './NotReady.tsx'
import { Skeletons } from './Skeletons.tsx'

type ListNotReadyProps = Pick<ComponentProps<typeof NotReady>, 'of' | 'what'> &
  Omit<ComponentProps<typeof Skeletons>, 'label'>

/** Stands in the place of a list that is loading, or failed to load. Screen readers hear what is loading. */
export const ListNotReady = ({ of, what, ...skeletons }: ListNotReadyProps) => (
  <NotReady
    of={of}
    what={what}
    waiting={<Skeletons label={`Loading ${what.charAt(0).toLowerCase()}${what.slice(1)}`} {...skeletons} />}
  />
)
