import { useLayoutEffect, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { focusSearch } from '#web/features/search/index.ts'
import { handleKey, onKeys } from '#web/lib/keys.ts'
import { failedDialog, part } from '#web/ui/part.tsx'

const places: Record<string, string> = {
  'g f': '/dashboard',
  'g d': '/diary',
  'g /': '/diary?view=search',
  'g c': '/calendar',
  'g r': '/zimmers?view=rooms',
  'g m': '/messages',
  'g p': '/users',
  'g s': '/settings',
  'g w': '/write',
}

/** The keys that work on every page. */
export function Shortcuts() {
  const [isListOpen, setIsListOpen] = useState(false)

  // A layout effect runs before the first paint: a person may press a key as soon as the frame is visible.
  useLayoutEffect(() => {
    const stops = [
      ...Object.entries(places).map(([keys, href]) => onKeys(keys, () => navigate(href))),
      onKeys('j', () => moveToPost(1)),
      onKeys('k', () => moveToPost(-1)),
      onKeys('/', focusSearch),
      onKeys('Ctrl+k', focusSearch),
      onKeys('?', () => setIsListOpen(true)),
    ]
    document.addEventListener('keydown', handleKey)
    return () => {
      for (const stop of stops) stop()
      document.removeEventListener('keydown', handleKey)
    }
  }, [])

  return isListOpen && <ShortcutList onClose={() => setIsListOpen(false)} />
}

/** Moves the focus to the post after or before the one that has it; at first to the first post. */
function moveToPost(step: 1 | -1) {
  const posts = [...document.querySelectorAll<HTMLElement>('main article[data-post]')]
  const post = posts[posts.findIndex((each) => each.contains(document.activeElement)) + step]
  if (post === undefined) return
  post.tabIndex = -1
  post.focus()
}

const ShortcutList = part(async () => (await import('./ShortcutList.tsx')).ShortcutList, failedDialog)
