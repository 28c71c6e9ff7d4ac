import { chromium } from '@playwright/test'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The browser of the tests. Without a path it is the one that Playwright has installed. */
type Browser = { path: string | undefined }

/** Looks for CHROME_PATH, then for Playwright's browser, then for that of the system: first the headless shell, which has no windows and so takes less of the processor. */
export function findChromium(): Browser | undefined {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH) return { path: CHROME_PATH }
  if (hasOwn()) return { path: undefined }
  const path = systemPaths().find((place) => existsSync(place))
  return path === undefined ? undefined : { path }
}

/** Playwright uses the smaller headless shell where the whole browser is missing. */
function hasOwn() {
  const whole = chromium.executablePath()
  const shell = whole.replace(/([\\/])chromium-(\d+)([\\/]).*$/, '$1chromium_headless_shell-$2$3')
  return existsSync(whole) || existsSync(join(shell, 'INSTALLATION_COMPLETE'))
}

function systemPaths() {
  const names = [
    'chromium-headless-shell',
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
  ]
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ]
}

/** Without requests of the browser itself, and without the sandbox, which Chromium refuses to use as root. */
export const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]

/** For what drives the browser without the runner of Playwright. */
export function launchChromium(further: readonly string[] = []) {
  const path = findChromium()?.path
  return chromium.launch({
    args: [...chromiumArguments, ...further],
    ...(path !== undefined && { executablePath: path }),
  })
}
