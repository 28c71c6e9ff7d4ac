import { chromium } from '@playwright/test'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { succeeds } from './command.ts'

/** The browser of the tests; without a path it is Playwright's own. */
type Browser = { path: string | undefined }

/** CHROME_PATH, Playwright's own or the system's, whichever is there first. */
export function findChromium(): Browser | undefined {
  const { CHROME_PATH } = process.env
  if (CHROME_PATH) return { path: CHROME_PATH }
  if (hasOwn()) return { path: undefined }
  const path = systemPaths().find((place) => existsSync(place))
  return path === undefined ? undefined : { path }
}

/** Finds the browser, or fetches one. */
export async function provideChromium(): Promise<Browser | { missing: string }> {
  const found = findChromium()
  if (found) return found
  console.log('Installing Chromium …')
  await succeeds('playwright', ['install', 'chromium-headless-shell'])
  if (!hasOwn() && process.getuid?.() === 0) await installByApt()
  return (
    findChromium() ?? {
      missing: 'No Chromium was found and none could be installed: install one, or set CHROME_PATH to it.',
    }
  )
}

async function installByApt() {
  const environment = { DEBIAN_FRONTEND: 'noninteractive' }
  await succeeds('apt-get', ['update', '-qq'], environment)
  await succeeds('apt-get', ['install', '-yqq', '--no-install-recommends', 'chromium'], environment)
}

/** Playwright runs the smaller headless shell where it has no whole browser. */
function hasOwn() {
  const whole = chromium.executablePath()
  const shell = whole.replace(/([\\/])chromium-(\d+)([\\/]).*$/, '$1chromium_headless_shell-$2$3')
  return existsSync(whole) || existsSync(join(shell, 'INSTALLATION_COMPLETE'))
}

function systemPaths() {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ]
}

/** Quiet on closed networks, and able to start as root, where Chromium refuses its sandbox. */
export const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]
