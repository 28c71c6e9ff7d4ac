import { X } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import {
  type AppStatus,
  currentStatus,
  followUpdates,
  onStatusChange,
  reloadNow,
  setStatus,
} from '#web/lib/app-updates.ts'
import { storedText } from '#web/lib/storage.ts'
import { Button } from '#web/ui/Button.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'

const texts: Record<AppStatus, string> = {
  newVersion: 'A new version is ready.',
  offline: 'There is no connection. You see what this device keeps.',
  online: 'The connection is back.',
  unsaved: 'A text could not be kept on this device. Save it, then reload the page.',
}

/** Called when the page works. Follows updates of the program, and says in one line what a person should know of them. */
export function start(): void {
  // Named last: the browser would fetch it, and its icons, beside what the first paint needs.
  const manifest = { rel: 'manifest', href: '/manifest.webmanifest' }
  document.head.append(Object.assign(document.createElement('link'), manifest))
  keepAccent()
  createRoot(document.body.appendChild(document.createElement('div'))).render(<StatusLine />)
  void followUpdates()
}

/** Keeps the accent colour of the instance for pages without a network, on which `/theme.js` sets it. */
function keepAccent() {
  const { shell, accent } = document.documentElement.dataset
  const kept = storedText('accent')
  if (shell) return
  if (accent === undefined) kept.remove()
  else kept.write(accent)
}

function StatusLine() {
  const status = useSyncExternalStore(onStatusChange, currentStatus)
  const [isReloading, setIsReloading] = useState(false)
  const reload = async () => {
    setIsReloading(true)
    await reloadNow()
    setIsReloading(false)
  }
  return (
    <div
      ref={publishHeight}
      role="status"
      data-app-status={status ?? undefined}
      className="phone-writing:hidden fixed inset-x-0 bottom-[max(0px,calc(var(--foot)-var(--app-status,0px)))] z-40 transition-[bottom] duration-200 ease-out print:hidden"
    >
      {status !== null && (
        <div className="flex items-center justify-center gap-2 border-t border-line bg-surface px-4 py-1 text-sm text-ink">
          <p>{texts[status]}</p>
          {status !== 'offline' && (
            <Button variant="link" busy={isReloading} onClick={() => void reload()}>
              Reload
            </Button>
          )}
          <IconButton label="Close" icon={X} onClick={() => setStatus(null)} />
        </div>
      )}
    </div>
  )
}

/** Keeps the height of the status in a CSS property: the bottom bar makes room for it. */
function publishHeight(place: HTMLDivElement) {
  const publish = () => document.documentElement.style.setProperty('--app-status', `${place.offsetHeight}px`)
  // In the next frame: the bottom bar is observed too, and its height follows.
  const observer = new ResizeObserver(() => requestAnimationFrame(publish))
  observer.observe(place)
  return () => observer.disconnect()
}
