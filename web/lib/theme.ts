import { useSyncExternalStore } from 'react'

export const themes = ['day', 'night', 'system'] as const
export type Theme = (typeof themes)[number]

/** The theme in force and how to choose another. The document holds it; `/theme.js` sets it before the first paint. */
export function useTheme() {
  return { theme: useSyncExternalStore(subscribe, readTheme), chooseTheme }
}

export function readTheme(): Theme {
  const chosen = document.documentElement.dataset['theme']
  return themes.find((theme) => theme === chosen) ?? 'system'
}

export function chooseTheme(theme: Theme) {
  document.documentElement.dataset['theme'] = theme
  try {
    localStorage.setItem('theme', theme)
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

export const readingSizes = ['small', 'medium', 'large'] as const
export type ReadingSize = (typeof readingSizes)[number]

/** How large long texts are set, kept like the theme. */
export function useReadingSize() {
  return { readingSize: useSyncExternalStore(subscribe, readReadingSize), chooseReadingSize }
}

function readReadingSize(): ReadingSize {
  const chosen = document.documentElement.dataset['readingSize']
  return readingSizes.find((size) => size === chosen) ?? 'medium'
}

function chooseReadingSize(size: ReadingSize) {
  document.documentElement.dataset['readingSize'] = size
  try {
    localStorage.setItem('reading-size', size)
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

function subscribe(changed: () => void) {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-reading-size'] })
  return () => observer.disconnect()
}
