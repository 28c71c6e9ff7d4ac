import { createContext, lazy, Suspense, useContext, useState, type ReactNode } from 'react'
import { createToastStore, type ToastStore } from './toast-store.ts'

/** `const toast = useToast()`, then `toast({ title: 'Saved' })`. */
export function useToast() {
  const store = useContext(Store)
  if (!store) throw new Error('useToast needs a ToastsProvider above it')
  return store.show
}

export function ToastsProvider({ children }: { children: ReactNode }) {
  const [store] = useState(createToastStore)
  return (
    <Store value={store}>
      {children}
      <Suspense>
        <Toaster store={store} />
      </Suspense>
    </Store>
  )
}

const Store = createContext<ToastStore | null>(null)
// Fetched beside the first paint, not before it: nothing is to be told yet.
const Toaster = lazy(async () => ({ default: (await import('./Toaster.tsx')).Toaster }))
