import type { Page } from '@playwright/test'
import { joinRoom } from '#contract/rooms/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { addAside } from '#contract/rooms/table/endpoints.ts'
import { examine, examineAsShown } from './examine.ts'
import { makeRoom } from './people.ts'
import { expect, shareSession, signIn, test } from './test.ts'

const talk = (page: Page) => page.getByRole('button', { name: /^Talk/ })
const said = (page: Page) => page.getByRole('log', { name: 'What was said' })
const flags = (page: Page) => said(page).getByRole('button', { name: 'Report this aside' })

test('two people report asides, one on a phone and one by the keyboard; an admin erases one of them, and it leaves both open pages [TABLE-01]', async ({
  page: desk,
  app,
  open,
}) => {
  const [ana, ben, cem] = await Promise.all([
    app.signUp({ firstName: 'Ana', lastName: 'Lima' }),
    app.signUp({ firstName: 'Ben', lastName: 'Ode' }),
    app.signUp({ firstName: 'Cem', lastName: 'Ray' }),
  ])
  // The turn stays with Ben: on a phone its holder has no talk.
  const room = await makeRoom(ben, { turns: 'round', turnSeconds: 43_200, duration: 4320 })
  const params = { id: room.id }
  for (const { client } of [ana, cem]) await client.does(joinRoom, { params, input: { signsWithName: true } })
  const say = (content: string) => ben.client.does(addAside, { params, input: { content } })
  await say('Your last line was fine.')
  await say('Nobody wants to read you, Ana.')
  await ana.client.does(addAside, { params, input: { content: 'Please stop.' } })

  const phone = await open({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  })
  await signIn(phone, ana)
  await phone.goto(roomPath(room.id))
  await talk(phone).tap()
  await expect(flags(phone)).toHaveCount(2)
  const rude = said(phone).getByRole('listitem').filter({ hasText: 'Nobody wants' })
  const flag = rude.getByRole('button', { name: 'Report this aside' })
  await expect(flag).toHaveCSS('opacity', '0')
  await rude.getByText('Nobody wants to read you, Ana.').tap()
  await expect(flag).toHaveCSS('opacity', '1')
  const box = (await flag.boundingBox())!
  expect([box.width, box.height]).toEqual([44, 44])
  await examineByDayAndNight(phone, 'the flag of an aside on a phone')
  await flag.tap()
  const dialog = phone.getByRole('dialog', { name: 'Report this aside' })
  await expect(dialog).toContainText(
    'Admins and moderators get a copy of this aside, what you write here and your name. The author is not told.',
  )
  await dialog.getByRole('radio', { name: 'Harassment or threats' }).check()
  await dialog.getByRole('textbox').fill('He writes this every evening.')
  await examineByDayAndNight(phone, 'the dialog of a report over the talk')
  await dialog.getByRole('button', { name: 'Send report' }).tap()
  await expect(phone.getByText('Thank you. The admins and moderators have your report.')).toBeVisible()
  await expect(dialog).toHaveCount(0)

  const wide = await open({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await signIn(wide, cem)
  await wide.goto(roomPath(room.id))
  await talk(wide).press('Enter')
  await expect(flags(wide)).toHaveCount(3)
  await said(wide).focus()
  for (const _each of [1, 2]) await wide.keyboard.press('Tab')
  const second = flags(wide).nth(1)
  await expect(second).toBeFocused()
  await expect(second).toHaveCSS('opacity', '1')
  await expect(wide.getByRole('tooltip')).toBeVisible()
  await wide.keyboard.press('Escape')
  await expect(wide.getByRole('tooltip')).toHaveCount(0)
  await examineByDayAndNight(wide, 'the flag of an aside in the rail')
  await second.press('Enter')
  const atDesk = wide.getByRole('dialog', { name: 'Report this aside' })
  await atDesk.getByRole('radio', { name: 'Harassment or threats' }).focus()
  await wide.keyboard.press('Space')
  await atDesk.getByRole('textbox').fill('Rude.')
  await wide.keyboard.press('Control+Enter')
  await expect(wide.getByText('Thank you. The admins and moderators have your report.')).toBeVisible()
  await expect(second).toBeFocused()

  await shareSession(desk, app.admin)
  await desk.setViewportSize({ width: 390, height: 844 })
  await desk.goto('/admin?part=reports')
  const report = desk.getByRole('listitem').filter({ hasText: 'He writes this every evening.' })
  await expect(report).toContainText('An aside of Ben Ode')
  await expect(report).toContainText('Nobody wants to read you, Ana.')
  await expect(report.getByRole('link', { name: 'Open the Z!mmer' })).toBeVisible()
  await examine(desk, 'the list of reports with an aside')
  await report.getByRole('button', { name: /^Close report/ }).click()
  const closing = desk.getByRole('dialog', { name: 'Close this report' })
  await closing.getByRole('radio', { name: /^Erase it for good/ }).check()
  await closing.getByRole('checkbox', { name: 'I know that nobody can bring it back' }).check()
  await expect(closing).toContainText('“An admin or moderator has erased the aside.”')
  await examine(desk, 'the dialog that erases an aside')
  await closing.getByRole('button', { name: 'Close report' }).click()
  await expect(report).toContainText('Erased · Admin')
  await expect(desk.getByText('Nobody wants to read you, Ana.')).toHaveCount(0)

  for (const page of [phone, wide]) {
    await expect(said(page)).toContainText('Your last line was fine.')
    await expect(page.getByText('Nobody wants to read you, Ana.')).toHaveCount(0)
  }
  await expect(said(wide)).toBeFocused()

  const bell = await open()
  await signIn(bell, ben)
  await bell.goto('/about')
  await bell.getByRole('button', { name: /^Notifications, / }).click()
  await expect(bell.getByText('An admin has erased an aside of yours')).toBeVisible()
  await expect(bell.getByText('It is gone from the talk in “The long night”.')).toBeVisible()
})

/** As the window is: in a window of another width the talk has another shape, and is closed. */
async function examineByDayAndNight(page: Page, name: string) {
  for (const theme of ['night', 'day']) {
    await page.evaluate((chosen) => (document.documentElement.dataset['theme'] = chosen), theme)
    await examineAsShown(page, `${name} by ${theme}`)
  }
}
