import { useEffect, useState } from 'react'

/** The event by which Chromium offers to install the web app. */
interface InstallationEvent extends Event {
  prompt: () => Promise<unknown>
}

/** Asks the browser to install the web app. Null where it cannot be installed, or is installed. */
export type Installation = (() => Promise<void>) | null

export function useInstallation(): Installation {
  const [event, setEvent] = useState<InstallationEvent | null>(null)
  useEffect(() => {
    const keep = (offered: Event) => setEvent(offered as InstallationEvent)
    const forget = () => setEvent(null)
    addEventListener('beforeinstallprompt', keep)
    addEventListener('appinstalled', forget)
    return () => {
      removeEventListener('beforeinstallprompt', keep)
      removeEventListener('appinstalled', forget)
    }
  }, [])
  if (event === null) return null
  return async () => {
    // The browser accepts one call for each event.
    setEvent(null)
    await event.prompt()
  }
}
