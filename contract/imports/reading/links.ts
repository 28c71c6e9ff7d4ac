/** An address that a reader can open elsewhere; '' for every other one. */
export function addressOf(href: string): string {
  if (/^mailto:/i.test(href)) return href.slice('mailto:'.length)
  return /^https?:\/\//i.test(href) ? href.trim() : ''
}

/** What stands behind the text of a link: its address, unless the text says it already. */
export function addressBehind(text: string, address: string): string {
  const shown = text.trim()
  const short = address.replace(/^https?:\/\/(?:www\.)?|\/$/gi, '')
  return shown === '' || address === '' || shown === address || shown === short ? '' : ` (${address})`
}
