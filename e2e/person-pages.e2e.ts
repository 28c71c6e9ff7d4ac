import { addFriend } from '#contract/friends/endpoints.ts'
import { examine } from './examine.ts'
import { asVisitor, expect, shareSession, test } from './test.ts'

const names = { firstName: 'Ottilie', lastName: 'Brandt' }
const name = 'Ottilie Brandt'
const poem = 'Under the lamp\n\nThe moth has read\nevery page twice.'

test('a writer publishes and introduces herself; a visitor follows her name from the post to her page, until she switches it off [PPL-01 PPL-02 PPL-03]', async ({
  page,
  open,
  app,
  forgive,
}) => {
  // The page of somebody else that is not there.
  forgive(/PersonNotFound/)
  const writer = await app.signUp({ ...names, email: 'ottilie@example.org' })
  const { id } = await app.publish({ content: poem, authorName: name, by: writer.client })

  await shareSession(page, writer)
  await page.goto('/settings')
  const part = page.getByRole('region', { name: 'Your page' })
  const toggle = part.getByRole('switch', { name: 'Have a page that everybody can read' })
  await expect(toggle).toBeChecked()
  await part.getByRole('textbox', { name: 'Introduction' }).fill('I write in a kitchen in Görlitz.')
  await part.getByRole('button', { name: 'Save introduction' }).click()
  await expect(part.getByText(/^Saved/)).toBeVisible()
  await examine(page, 'the settings of a page', part)

  const visitor = await open()
  await asVisitor(visitor)
  await visitor.goto('/dashboard')
  const card = visitor.getByRole('article').filter({ hasText: 'The moth has read' })
  await card.getByRole('link', { name }).click()
  await expect(visitor).toHaveURL(`/people/${writer.user.id}`)
  await expect(visitor.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(visitor.getByText('I write in a kitchen in Görlitz.')).toBeVisible()
  await expect(visitor.getByText('The moth has read')).toBeVisible()
  await expect(visitor).toHaveTitle(`${name} · Z!mmer`)
  await examine(visitor, 'the page of a writer')

  await visitor.getByRole('article').getByRole('link').click()
  await expect(visitor).toHaveURL(`/posts/${id}`)
  await visitor.getByRole('main').getByRole('link', { name }).click()
  await expect(visitor).toHaveURL(`/people/${writer.user.id}`)

  // Without a session in this tab, by the address alone.
  const stranger = await open()
  await stranger.goto(`/people/${writer.user.id}`)
  await expect(stranger.getByRole('heading', { level: 1, name })).toBeVisible()

  await toggle.click()
  await expect(toggle).not.toBeChecked()
  await expect(async () => {
    const answer = await stranger.goto(`/people/${writer.user.id}`)
    expect(answer?.status()).toBe(404)
  }).toPass()
  await expect(stranger.getByRole('heading', { name: '404 Page Not Found' })).toBeVisible()
  await visitor.goto('/dashboard')
  await expect(card.getByRole('button', { name })).toBeVisible()
  await expect(card.getByRole('link', { name })).toHaveCount(0)
})

test('a person reads the page of a friend, is led to the conversation, blocks the friend, and neither finds a page of the other [PPL-02 PPL-04]', async ({
  page,
  open,
  app,
  forgive,
}) => {
  // The page of somebody else that is not there.
  forgive(/PersonNotFound/)
  const writer = await app.signUp({ firstName: 'Quentin', lastName: 'Marsh', email: 'quentin@example.org' })
  await app.publish({ content: 'A last line.', authorName: 'Quentin Marsh', by: writer.client })
  const reader = await app.signUp({ firstName: 'Rhea', lastName: 'Quill', email: 'rhea@example.org' })
  await app.publish({ content: 'A first line.', authorName: 'Rhea Quill', by: reader.client })
  await reader.client.does(addFriend, { input: { friendUserId: writer.user.id } })

  await shareSession(page, reader)
  await page.goto(`/people/${writer.user.id}`)
  await examine(page, 'the page of a friend')
  await page.getByRole('link', { name: 'Message', exact: true }).click()
  await expect(page).toHaveURL(`/messages?friend=${writer.user.id}`)
  await page.goBack()

  await page.getByRole('button', { name: 'More about Quentin Marsh' }).click()
  await page.getByRole('menuitem', { name: 'Block' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
  await expect(page).toHaveURL('/users')
  await page.goto(`/people/${writer.user.id}`)
  const missing = { name: '404 Page Not Found' }
  await expect(page.getByRole('heading', missing)).toBeVisible()

  const other = await open()
  await shareSession(other, writer)
  await other.goto(`/people/${reader.user.id}`)
  await expect(other.getByRole('heading', missing)).toBeVisible()
})
