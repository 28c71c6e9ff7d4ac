import { useDeferredValue, useSyncExternalStore } from 'react'

/**
 * The height up to which a long list is rendered. The server and hydration render all. A list that the browser renders itself
 * starts with as much as fills the window, and renders the rest in a second, deferred render: then the height is infinite. After
 * Back all is rendered at once, because the browser scrolls to where the reader was.
 */
export const useDrawnHeight = (): number =>
  useDeferredValue(
    Infinity,
    useSyncExternalStore(
      () => () => {},
      () => (globalThis.event?.type === 'popstate' ? Infinity : innerHeight),
      () => Infinity,
    ),
  )
