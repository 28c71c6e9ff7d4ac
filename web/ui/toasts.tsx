import { createContext, useContext, useState, type ReactNode } from 'react'
import { createToastStore, type ToastStore } from './toast-store.ts'
import { Toaster } from './Toaster.tsx'

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
      <Toaster store={store} />
    </Store>
  )
}

const Store = createContext<ToastStore | null>(null)
