import type { BrowserContext, Locator, Page } from '@playwright/test'
import type { Change } from './traces.ts'

export interface Player {
  /** The time of each change in the text area, by the number of the change. Entries are added while changes are played. */
  playedAt: Map<number, number>
  /** Makes the changes of a range in a text area, each at its time. Resolves after the last one. */
  play(area: Locator, changes: Change[], range: { from: number; to: number; shift?: number }): Promise<void>
}

declare global {
  /** Called by the page after each change in the text area. */
  function played(number: number, at: number): Promise<void>
}

/** A player for all pages of a browser. It reports each change at once, so that a page may crash at any moment. */
export async function startPlayer(context: BrowserContext): Promise<Player> {
  const playedAt = new Map<number, number>()
  await context.exposeBinding(
    'played',
    (_source, number: number, at: number) => void playedAt.set(number, at),
  )
  return {
    playedAt,
    play: (area, changes, { from, to, shift = 0 }) =>
      area.evaluate(playInPage, { changes: changes.slice(from, to), from, shift }),
  }
}

/** Ends the process of the page, which can do nothing more. */
export async function crash(context: BrowserContext, page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash')
  const session = await context.newCDPSession(page)
  session.send('Page.crash').catch(() => {})
  await crashed
  await page.close()
}

async function playInPage(
  node: Element,
  { changes, from, shift }: { changes: Change[]; from: number; shift: number },
) {
  const area = node as HTMLTextAreaElement
  const start = performance.now() - (changes[0]?.atMs ?? 0)
  for (const [i, { position, deleted, inserted, atMs }] of changes.entries()) {
    const waitMs = start + atMs - performance.now()
    // A late player still gives the page time for its own work.
    if (waitMs > 0 || i % 20 === 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
    const at = position + shift
    area.setRangeText(inserted, at, at + deleted, 'end')
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
    void played(from + i, Date.now())
  }
}
