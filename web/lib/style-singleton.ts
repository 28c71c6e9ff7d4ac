import { useEffect } from 'react'

/**
 * Replaces `react-style-singleton`, whose style tags violate the content security policy of the page.
 * Only the first of several styles is used: the later ones have measured a page without its scroll bar.
 */
export function styleSingleton() {
  // Made in the browser alone: the server has no stylesheets.
  let sheet: CSSStyleSheet | undefined
  let users = 0
  return function Styles({ styles }: { styles: string }) {
    useEffect(() => {
      if (users++ === 0) {
        sheet = new CSSStyleSheet()
        sheet.replaceSync(styles)
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
      }
      return () => {
        if (--users > 0) return
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
      }
    }, [styles])
    return null
  }
}
