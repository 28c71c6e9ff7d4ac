import { getMe } from '#contract/account/endpoints.ts'
import { getFeedDay } from '#contract/feed/reading/endpoints.ts'
import { joinRoom } from '#contract/rooms/endpoints.ts'
import { roomPath } from '#contract/rooms/paths.ts'
import { makeRoom } from './people.ts'
import { asVisitor, bar, expect, signIn, test } from './test.ts'

test.use({ processes: 2, ignoreHTTPSErrors: true })

test('behind nginx, where each request goes to another server, two people write a story live, and read what is published at once; a new password signs the other window out, and a log-out all tabs [R5 R7 R8 R9 S14 S23]', async ({
  page,
  open,
  app,
  forgive,
}) => {
  // Windows without a session load the page again.
  forgive(/Failed to fetch user/)
  const [ana, ben] = [await app.signUp(), await app.signUp({ firstName: 'Ben' })]
  const room = await makeRoom(ana)
  await ben.client.does(joinRoom, { params: { id: room.id }, input: { signsWithName: false } })
  const windows = [page, await open(), await open()] as const
  const [desk, sofa, other] = windows
  await signIn(desk, ana)
  await signIn(sofa, ana)
  await signIn(other, ben)
  for (const window of windows) {
    await window.goto(app.url + roomPath(room.id))
    await expect(window.getByPlaceholder('Continue the story...')).toBeVisible()
  }
  for (const [writer, text] of [
    [desk, 'First there was only the sea.'],
    [other, 'Then somebody lit a lamp.'],
    [sofa, 'Nobody asked who.'],
  ] as const) {
    await writer.getByPlaceholder('Continue the story...').fill(text)
    await writer.getByPlaceholder('Continue the story...').press('Enter')
    for (const window of windows) await expect(window.getByText(text)).toHaveCount(1)
  }

  const post = await app.publish({ content: 'Rain on the roof of the old station.' })
  const reader = await open()
  await asVisitor(reader)
  for (let time = 0; time < 4; time++) {
    const day = await app.visitor().does(getFeedDay, { params: { offset: '0' } })
    expect(day.map(({ id }) => id)).toEqual([post.id])
    await reader.goto(`${app.url}/dashboard`)
    await expect(reader.getByText('Rain on the roof of the old station.').first()).toBeVisible()
  }

  const statusesOf = async (window: typeof page) =>
    Promise.all([1, 2].map(async () => (await window.request.get(app.url + getMe.path)).status()))
  expect(await statusesOf(sofa)).toEqual([200, 200])
  await desk.goto(`${app.url}/dashboard`)
  await bar(desk).getByRole('button', { name: 'Change Password' }).click()
  const dialog = desk.getByRole('dialog', { name: 'Change Password' })
  await dialog.getByLabel('New password').fill('another secret')
  await dialog.getByRole('button', { name: 'Change Password' }).click()
  await expect(desk.getByText('Password changed successfully', { exact: true })).toBeVisible()
  expect([await statusesOf(desk), await statusesOf(sofa)]).toEqual([
    [200, 200],
    [401, 401],
  ])
  await desk.getByRole('button', { name: 'Log Out' }).click()
  await expect(desk).toHaveURL(/\/\?onboarding=true$/)
  expect(await statusesOf(desk)).toEqual([401, 401])
  expect(await statusesOf(other)).toEqual([200, 200])
})
