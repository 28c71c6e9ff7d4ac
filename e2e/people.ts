import type { Page } from '@playwright/test'
import { login, loginAsGuest } from '#contract/account/endpoints.ts'
import { changeRoomMembership, createRoom } from '#contract/rooms/endpoints.ts'
import type { InputOf } from '#contract/endpoint.ts'
import type { HttpClient } from '../scripts/testing/http-client.ts'
import { administrator } from '../scripts/testing/running-server.ts'

/** Signs a person in without the form. Pages that this browser opens afterwards have their session. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  const answer = await page.request.post(login.path, { data: { email, password } })
  if (!answer.ok()) throw new Error(`${email} could not sign in: ${answer.status()} ${await answer.text()}`)
}

/** Gives the browser the session of the person's client: an account keeps 20 sessions at most, and a sign-in adds one. */
export async function shareSession(page: Page, { client }: { client: HttpClient }) {
  const cookies = client.cookies.map(([name, value]) => ({ name, value, url: client.url }))
  await page.context().addCookies(cookies)
}

export async function asAdmin(page: Page) {
  await signIn(page, administrator)
}

export async function asGuest(page: Page) {
  const answer = await page.request.post(loginAsGuest.path)
  if (!answer.ok())
    throw new Error(`The guest session could not start: ${answer.status()} ${await answer.text()}`)
}

/** Turns the page into the tab of a visitor who has chosen to browse without a session. */
export async function asVisitor(page: Page) {
  await page.addInitScript(() => sessionStorage.setItem('browsing', 'true'))
}

/** Creates a room of 30 minutes without passages. Its creator has said how to sign, and is not asked. */
export async function makeRoom(
  { client }: { client: HttpClient },
  more: Partial<InputOf<typeof createRoom>> = {},
) {
  const room = await client.does(createRoom, {
    input: {
      name: 'The long night',
      description: 'Nobody sleeps in this house.',
      isPublic: true,
      duration: 30,
      invitedFriends: [],
      ...more,
    },
  })
  await client.does(changeRoomMembership, { params: { id: room.id }, input: { signsWithName: false } })
  return room
}

/** Answers the question at the first passage in a room as it is preselected. */
export const sign = (page: Page) =>
  page.getByRole('dialog', { name: 'Your signature' }).getByRole('button', { name: 'Send' }).click()

/** The bottom bar, which has the account row in a wide window and the thumb bar on a phone. */
export const bottomBar = (page: Page) => page.locator('[data-away]')

/** The account row of the bottom bar, which names the current person. */
export const bar = (page: Page) => page.getByRole('region', { name: 'Account', exact: true })
