import type { ReactNode } from 'react'

export interface Toast {
  title: ReactNode
  description?: ReactNode
  tone?: 'plain' | 'destructive'
  action?: { label: string; onPress: () => void }
  /** How long it is shown, if not 5 s. */
  shownMs?: number
}

export interface KeptToast extends Toast {
  id: number
  open: boolean
}

const atOnce = 1
const keptAfterDismissalMs = 1_000_000

export type ToastStore = ReturnType<typeof createToastStore>

/** The newest toasts, dismissed ones among them until they are forgotten. */
export function createToastStore() {
  let toasts: readonly KeptToast[] = []
  let lastId = 0
  const listeners = new Set<() => void>()

  const change = (next: readonly KeptToast[]) => {
    toasts = next
    listeners.forEach((listener) => listener())
  }

  return {
    show: (toast: Toast) => {
      change([{ ...toast, id: ++lastId, open: true }, ...toasts].slice(0, atOnce))
    },
    dismiss: (id: number) => {
      change(toasts.map((toast) => (toast.id === id ? { ...toast, open: false } : toast)))
      setTimeout(() => change(toasts.filter((toast) => toast.id !== id)), keptAfterDismissalMs)
    },
    list: () => toasts,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
  }
}
