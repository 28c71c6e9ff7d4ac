import { useSyncExternalStore } from 'react'
import { storedText } from './storage.ts'

/** The theme in force, and a function that chooses another. */
export const useTheme = choiceIn('theme', 'theme', ['day', 'night', 'system'], 'system')

/** The text size of long texts. */
export const useReadingSize = choiceIn('readingSize', 'reading-size', ['small', 'medium', 'large'], 'medium')

/** A choice of the reader, held by an attribute of the document. `/theme.js` sets it before the first paint. */
function choiceIn<Value extends string>(
  attribute: string,
  key: string,
  values: readonly Value[],
  usual: Value,
) {
  const read = () => values.find((value) => value === document.documentElement.dataset[attribute]) ?? usual
  const choose = (value: Value) => {
    document.documentElement.dataset[attribute] = value
    // `/theme.js` reads it at the next load. Where storage is forbidden the choice lasts as long as the page.
    storedText<Value>(key).write(value)
  }
  return function useChoice() {
    return [useSyncExternalStore(subscribe, read, () => usual), choose] as const
  }
}

function subscribe(changed: () => void) {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-reading-size'] })
  return () => observer.disconnect()
}
