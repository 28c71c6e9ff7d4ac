/** The first match counts: most browsers also name those that they resemble. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /(?:Chrome|\bCriOS)\//],
  ['Safari', /\bSafari\//],
] as const

/** An iPad with its usual settings says that it is a Mac. */
const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
] as const

/** Longer than the header of any browser. */
const readLength = 512

/** Reads two names of these tables from the header, and nothing else: no version, no model and no text of the client. */
export function readUserAgent(userAgent = ''): { browser: string | null; system: string | null } {
  const read = userAgent.slice(0, readLength)
  const nameIn = (table: typeof browsers | typeof systems) =>
    table.find(([, pattern]) => pattern.test(read))?.[0] ?? null
  return { browser: nameIn(browsers), system: nameIn(systems) }
}
