import type { Locator } from '@playwright/test'

/**
 * Waits until the caret is in sight. Otherwise says where the caret is and which element is shown there instead.
 * The lines of the text must be too short to be turned.
 */
export const coverOfCaret = (field: Locator) =>
  field.evaluate(async (area: HTMLTextAreaElement) => {
    const end = performance.now() + 2000
    let cover = coverNow()
    // The browser scrolls a moment after the key.
    while (cover !== null && performance.now() < end) {
      await new Promise(requestAnimationFrame)
      cover = coverNow()
    }
    return cover

    function coverNow() {
      const style = getComputedStyle(area)
      const pixels = (value: string) => Number.parseFloat(value)
      const box = area.getBoundingClientRect()
      const line = area.value.slice(0, area.selectionEnd).split('\n').length
      const inside = box.top + area.clientTop + pixels(style.paddingTop) - area.scrollTop
      const middle = inside + (line - 0.5) * pixels(style.lineHeight)
      // The caret is as high as the letters, and lower than its line.
      const half = 0.6 * pixels(style.fontSize)
      const x = box.left + area.clientLeft + pixels(style.paddingLeft) + 1
      for (const y of [middle - half, middle + half]) {
        const shown = document.elementFromPoint(x, y)
        if (shown !== area)
          return `line ${line} at ${y}: ${shown?.outerHTML.slice(0, 80) ?? 'outside of the window'}`
      }
      return null
    }
  })
