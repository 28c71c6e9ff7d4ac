import {
  createContext,
  lazy,
  Suspense,
  useContext,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { useIsInHands } from './first-sign.ts'
import { retried } from './retried.ts'
import { createToastStore, type ToastStore } from './toast-store.ts'

/** `const toast = useToast()`, then `toast({ title: 'Saved' })`. */
export function useToast() {
  const store = useContext(Store)
  if (!store) throw new Error('useToast needs a ToastsProvider above it')
  return store.show
}

export function ToastsProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createToastStore)
  const isInHands = useIsInHands()
  const hasToasts = useSyncExternalStore(store.subscribe, () => store.list().length > 0)
  return (
    <Store value={store}>
      {children}
      <Suspense>{(isInHands || hasToasts) && <Toaster store={store} />}</Suspense>
    </Store>
  )
}

const Store = createContext<ToastStore | null>(null)
// Before somebody does something there is nothing to tell.
const Toaster = lazy(retried(async () => ({ default: (await import('./Toaster.tsx')).Toaster })))
