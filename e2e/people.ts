import type { Page } from '@playwright/test'
import { login, loginAsGuest } from '#contract/account/endpoints.ts'
import { createRoom } from '#contract/rooms/endpoints.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { administrator } from '../scripts/testing/running-server.ts'

/** Signs the browser of the page in, without its form; the next page it opens is theirs. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  const answer = await page.request.post(login.path, { data: { email, password } })
  if (!answer.ok()) throw new Error(`${email} could not sign in: ${answer.status()} ${await answer.text()}`)
}

export async function asAdmin(page: Page) {
  await signIn(page, administrator)
}

export async function asGuest(page: Page) {
  const answer = await page.request.post(loginAsGuest.path)
  if (!answer.ok()) throw new Error(`Nobody became a guest: ${answer.status()} ${await answer.text()}`)
}

/** Somebody without a session who has chosen to browse, in this tab. */
export async function asVisitor(page: Page) {
  await page.addInitScript(() => sessionStorage.setItem('browsing', 'true'))
}

/** A room of 30 minutes in which nothing is written yet. */
export const makeRoom = (
  { client }: { client: HttpClient },
  more: { name?: string; description?: string; isPublic?: boolean; duration?: 15 } = {},
) =>
  client.does(createRoom, {
    input: {
      name: 'The long night',
      description: 'Nobody sleeps in this house.',
      isPublic: true,
      duration: 30,
      invitedFriends: [],
      ...more,
    },
  })

/** The bar at the bottom, where the account stands. */
export const bar = (page: Page) => page.getByRole('region', { name: 'Account', exact: true })
