import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether a component may show what only this browser knows: not on the server, and not while its HTML is taken over. */
export const useIsInBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
