import { useState } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { permissionNow, requestPermission } from './desktop.ts'

/** Says whether the browser shows desktop notifications, and asks for the permission where it was not asked for. */
export function DesktopPermission() {
  const [permission, setPermission] = useState(permissionNow)
  if (permission === undefined) return null
  return (
    <div className="flex flex-col items-start gap-2 border-t border-line px-4 py-3 text-xs text-ink-soft">
      <p>{sentences[permission]}</p>
      {permission === 'default' && (
        <Button
          variant="quiet"
          onClick={async () => {
            await requestPermission()
            setPermission(permissionNow())
          }}
        >
          Turn on desktop notifications
        </Button>
      )}
    </div>
  )
}

const sentences: Record<NotificationPermission, string> = {
  default: 'Hear of what happens while Z!mmer is out of sight. Private texts are never shown.',
  granted:
    'While Z!mmer is out of sight, notifications appear on the desktop. Private texts are never shown.',
  denied: 'This browser blocks desktop notifications of Z!mmer. You can allow them in its settings.',
}
