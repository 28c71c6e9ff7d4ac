import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Whether a component may show what only this browser knows: neither on the server nor during hydration. */
export const useIsInBrowser = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
