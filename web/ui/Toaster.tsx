import { X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { useSyncExternalStore } from 'react'
import { cx } from './cx.ts'
import type { KeptToast, ToastStore } from './toast-store.ts'

/** The region in which toasts appear; F8 takes the focus there. */
export function Toaster({ store }: { store: ToastStore }) {
  const toasts = useSyncExternalStore(store.subscribe, store.list)
  return (
    <Radix.Provider duration={5000} swipeDirection="right" swipeThreshold={50}>
      {toasts.map((toast) => (
        <OneToast key={toast.id} toast={toast} onDismiss={() => store.dismiss(toast.id)} />
      ))}
      <Radix.Viewport
        hotkey={hotkey}
        // On phones at the top, where no thumb works; else above the bottom bar, whose height the frame sets.
        className="fixed top-0 right-0 z-60 flex w-full flex-col p-4 outline-none sm:top-auto sm:bottom-(--bottom-bar,0px) sm:max-w-md"
      />
    </Radix.Provider>
  )
}

const hotkey = ['F8']

function OneToast({ toast, onDismiss }: { toast: KeptToast; onDismiss: () => void }) {
  const destructive = toast.tone === 'destructive'
  return (
    <Radix.Root
      open={toast.open}
      onOpenChange={(open) => !open && onDismiss()}
      type={destructive ? 'foreground' : 'background'}
      className={cx(
        'flex data-[state=open]:animate-rise items-start gap-3 rounded-lg border bg-surface p-4 text-ink shadow-float',
        'data-[swipe=cancel]:translate-x-0 data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x)',
        destructive ? 'border-bad' : 'border-line',
      )}
    >
      <div className="min-w-0 flex-1">
        <Radix.Title className={cx('text-sm font-semibold', destructive && 'text-bad')}>
          {toast.title}
        </Radix.Title>
        {toast.description && (
          <Radix.Description className="mt-0.5 text-sm text-ink-soft">{toast.description}</Radix.Description>
        )}
      </div>
      {toast.action && (
        <Radix.Action
          altText={toast.action.label}
          onClick={toast.action.onPress}
          className="touch rounded-md px-2 py-0.5 text-sm font-medium text-lamp hover:bg-sunk"
        >
          {toast.action.label}
        </Radix.Action>
      )}
      <Radix.Close
        aria-label="Dismiss"
        className="touch -m-1 grid size-7 place-items-center rounded-md text-ink-soft hover:bg-sunk hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </Radix.Close>
    </Radix.Root>
  )
}
