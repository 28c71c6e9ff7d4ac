import type { Page } from '@playwright/test'

/** Counts the visible controls and names the small ones. Links inside a sentence are exempt, as in WCAG 2.5.8. */
export function controlsUnder44(page: Page) {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'button, a[href], input, select, textarea, summary, [role=switch], [role=tab], [role=checkbox]',
    )
    const found: string[] = []
    let measured = 0
    for (const control of controls) {
      if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      if (control.closest('[inert]')) continue
      measured++
      const { position, inset } = getComputedStyle(control, '::after')
      const coversCard = position === 'absolute' && inset === '0px'
      // A label around a field is part of its target, and so is a card that the control covers.
      const target = coversCard ? control.offsetParent! : (control.closest('label') ?? control)
      const { width, height } = target.getBoundingClientRect()
      const isInSentence = control.tagName === 'A' && getComputedStyle(control).display === 'inline'
      const isForScreenReaders = getComputedStyle(control).clipPath !== 'none'
      if (Math.min(width, height) > 43.9 || isInSentence || isForScreenReaders) continue
      const name = control.getAttribute('aria-label') ?? control.innerText
      found.push(`${control.tagName} ${name.slice(0, 40)}: ${width} x ${height} px`)
    }
    return { measured, small: [...new Set(found)] }
  })
}
