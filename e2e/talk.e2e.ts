import type { Page } from '@playwright/test'
import { joinRoom } from '#contract/rooms/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { examine } from './examine.ts'
import { asVisitor, makeRoom } from './people.ts'
import { expect, signIn, test } from './test.ts'

const talk = (page: Page) => page.getByRole('button', { name: /^Talk/ })
const said = (page: Page) => page.getByRole('log', { name: 'What was said' })
const field = (page: Page) => page.getByLabel('Say something beside the story')

test('two people talk beside a story, each at once for the other, nobody else reads it, and after the end the story is without it [TURN-18]', async ({
  app,
  open,
  forgive,
}) => {
  forgive(/ERR_|Failed to|Fetch|TypeError/)
  const [ana, ben] = [
    await app.signUp({ firstName: 'Ana', lastName: 'Lima' }),
    await app.signUp({ firstName: 'Ben', lastName: 'Ode' }),
  ]
  const room = await makeRoom(ana, { turns: 'round' })
  const params = { id: room.id }
  await ben.client.does(joinRoom, { params, input: { signsWithName: true } })
  const wide = await open({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const phone = await open({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
  for (const [page, person] of [
    [wide, ana],
    [phone, ben],
  ] as const) {
    await signIn(page, person)
    await page.goto(roomPath(room.id))
  }
  const reader = await open()
  await asVisitor(reader)
  await reader.goto(roomPath(room.id))

  await expect(talk(wide)).toHaveAttribute('aria-expanded', 'false')
  await talk(wide).click()
  await field(wide).fill('Shall she leave?')
  await field(wide).press('Enter')
  await expect(said(wide)).toContainText('Shall she leave?')
  await expect(field(wide)).toHaveValue('')

  await expect(talk(phone)).toHaveText('Talk1 new')
  await talk(phone).click()
  await expect(said(phone)).toContainText('Shall she leave?')
  // A wider window has the talk in the rail, closed.
  await examine(phone, 'the talk in a sheet')
  await talk(phone).click()
  await phone.context().setOffline(true)
  await field(phone).fill('Not yet.')
  await phone.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expect(phone.getByText('Your line could not be sent yet. It is still here.')).toBeVisible({
    timeout: 20_000,
  })
  await expect(field(phone)).toHaveValue('Not yet.')
  await phone.context().setOffline(false)
  await phone.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expect(said(wide)).toContainText('Not yet.')
  await expect(said(wide)).toContainText('Ben Ode')

  await expect(reader.getByText(/is writing/).first()).toBeVisible()
  await expect(talk(reader)).toHaveCount(0)

  // In the own turn the phone shows the talk too, beside whose turn it is.
  await wide.getByRole('button', { name: 'Pass', exact: true }).click()
  await phone.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(phone.getByRole('status').filter({ hasText: 'Your turn.' })).toBeVisible()
  await examine(phone, 'the own turn on a phone')
  await talk(phone).click()
  await expect(said(phone)).toContainText('Not yet.')
  await phone.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await wide.getByRole('button', { name: 'Table' }).click()
  await wide.getByRole('menuitem', { name: 'End the story…' }).click()
  await wide.getByRole('button', { name: 'End the story' }).click()
  for (const page of [wide, phone]) {
    await expect(page.getByText('Nobody wrote in this Z!mmer.')).toBeVisible()
    await expect(page.getByText('Shall she leave?')).toHaveCount(0)
    await talk(page).click()
    await expect(page.getByText('It will be deleted on')).toBeVisible()
    await expect(said(page)).toContainText('Not yet.')
    await expect(field(page)).toHaveCount(0)
  }
})
