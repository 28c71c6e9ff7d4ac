const shownMs = 5000

/** Undefined in a browser without desktop notifications, and over plain http. */
export const permissionNow = (): NotificationPermission | undefined =>
  'Notification' in globalThis && isSecureContext ? Notification.permission : undefined

/** Some browsers ask the person only after a press of a button. They leave the permission as it is. */
export async function requestPermission(): Promise<void> {
  try {
    await Notification.requestPermission()
  } catch (refusal) {
    console.warn('The browser did not ask for the permission of notifications', refusal)
  }
}

interface Shown {
  id: string
  title: string
  body: string
  onPress: () => void
}

export function showOnDesktop({ id, title, body, onPress }: Shown): void {
  if (permissionNow() !== 'granted') return
  const shown = newNotification(title, { body, tag: id, icon: '/icon.svg' })
  if (shown === undefined) return
  setTimeout(() => shown.close(), shownMs)
  shown.addEventListener('click', () => {
    focus()
    shown.close()
    onPress()
  })
}

/** Undefined where only a service worker may show notifications, as on phones. */
function newNotification(title: string, options: NotificationOptions) {
  try {
    return new Notification(title, options)
  } catch {
    return undefined
  }
}
