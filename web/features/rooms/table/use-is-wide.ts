import { useSyncExternalStore } from 'react'

/** The width from which the seats have a rail beside the story: `xl` of the stylesheet. */
const wideWindow = () => matchMedia('(min-width: 80rem)')

export const useIsWide = (): boolean => useSyncExternalStore(subscribe, () => wideWindow().matches)

function subscribe(onChange: () => void) {
  const window = wideWindow()
  window.addEventListener('change', onChange)
  return () => window.removeEventListener('change', onChange)
}
