import { useSyncExternalStore } from 'react'
import { storedText } from './storage.ts'

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
  // `/theme.js` reads it at the next load. Where storage is forbidden the choice lasts as long as the page.
  storedText<Theme>('theme').write(theme)
}

export const readingSizes = ['small', 'medium', 'large'] as const
export type ReadingSize = (typeof readingSizes)[number]

/** The text size of long texts, stored like the theme. */
export function useReadingSize() {
  return { readingSize: useSyncExternalStore(subscribe, readReadingSize), chooseReadingSize }
}

function readReadingSize(): ReadingSize {
  const chosen = document.documentElement.dataset['readingSize']
  return readingSizes.find((size) => size === chosen) ?? 'medium'
}

function chooseReadingSize(size: ReadingSize) {
  document.documentElement.dataset['readingSize'] = size
  storedText<ReadingSize>('reading-size').write(size)
}

function subscribe(changed: () => void) {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-reading-size'] })
  return () => observer.disconnect()
}
