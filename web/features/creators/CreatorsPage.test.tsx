import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { getMe } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { creatorCategories } from '#contract/creators/creator.ts'
import { readKeptKeys } from '#web/lib/kept-keys.ts'
import { writeKey } from '#web/lib/session-keys.ts'
import { loadKeysOf } from '#web/lib/storage.ts'
import { giveBuckets } from '#web/lib/testing.ts'
import { FakeObserver, fakeObservers } from '#web/testing/fake-observer.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { admin, ana, guest } from '#web/testing/people.ts'
import { CreatorsPage } from './CreatorsPage.tsx'
import { withPortfolio } from './portfolios.ts'
import { showcaseItems } from './showcase-items.ts'
import { allCreators } from './sample-creators.ts'

const server = startTestPage()
beforeEach(fakeObservers)
const showPage = (user: User | null = null) => show(<CreatorsPage />, { at: '/zimmers', user })
const creatorOf = (name: string) => allCreators.find((creator) => creator.name === name)!
const amara = withPortfolio(creatorOf('Amara Okonjo'))
const portfolio = amara.portfolio!
const generated = allCreators.find((creator) => !withPortfolio(creator).portfolio)!

const section = (title: string) =>
  [...document.querySelectorAll('h2')].find(({ textContent }) => textContent === title)!.closest('section')!
const card = (name: string, place: HTMLElement) =>
  within(place).getByRole('button', { name }).closest('article')!
const cardNames = (place: HTMLElement) =>
  within(place)
    .queryAllByRole('heading', { level: 3, hidden: true })
    .map(({ textContent }) => textContent)
const open = async (name: string) => {
  fireEvent.click(screen.getAllByRole('button', { name })[0]!)
  return within(await screen.findByRole('dialog', { name }))
}
const items = (place: HTMLElement, list: string) =>
  within(within(place).getByRole('list', { name: list }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

test('a visitor reads the title with the wordmark, and that the profiles are samples [CRE-01 CRE-02]', () => {
  showPage()
  const title = screen.getByRole('heading', { level: 1 })
  expect(title.textContent).toBe('Z!mmer Profiles')
  expect(title.querySelector('.text-lamp')?.textContent).toBe('!')
  expect(screen.getByText('Sample profiles')).toBeTruthy()
  expect(screen.getByText(/These people are invented/)).toBeTruthy()
  expect(server.requests).toEqual([])
})

test('a person likes a piece only once the earlier likes are known, so that none is lost, and keeps the focus when they arrive [CRE-12 CRE-47]', async () => {
  giveBuckets()
  const earlier = showcaseItems[0]!
  // A person whose keys no other test has loaded.
  const nia = { ...ana, id: 'n7q2m4xp3d' }
  const kept = await readKeptKeys(nia.id)
  kept!.put(`showcase:${nia.id}`, JSON.stringify([{ ...earlier, isLiked: true }]))
  showPage(nia)
  expect(button(/^Like/).disabled).toBe(true)
  button('Pass').focus()
  await act(() => loadKeysOf(nia.id))
  expect(button(/^Like/).disabled).toBe(false)
  expect(button(/^Like/).getAttribute('aria-pressed')).toBe('true')
  expect(document.activeElement).toBe(button('Pass'))
})

test('a person likes nothing as a visitor while the page learns who is signed in [CRE-12]', async () => {
  writeKey('userId', ana.id)
  const answered = Promise.withResolvers<User>()
  server.on(getMe, () => answered.promise)
  show(<CreatorsPage />)
  fireEvent.click(button(/^Like/))
  expect(button(/^Like/).getAttribute('aria-pressed')).toBe('false')
  answered.resolve(ana)
  await waitFor(() => expect(button(/^Like/).disabled).toBe(false))
  fireEvent.click(button(/^Like/))
  expect(Object.keys(localStorage).filter((key) => key.startsWith('showcase:'))).toEqual([
    `showcase:${ana.id}`,
  ])
})

const titles = {
  König: 'könig',
  'Recently Added': 'recently_added',
  Multilingual: 'multilingual',
  'Very Highly Recommended': 'highly_recommended',
  'Most Creative': 'most_creative',
}

test('a reader finds the showcase, five sections and More in this order, each section with its creators [CRE-13 CRE-22 CRE-37]', async () => {
  showPage()
  FakeObserver.created.at(-1)!.report(true)
  await screen.findByRole('heading', { level: 2, name: 'More' })
  const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)
  expect(headings).toEqual(['Showcase', ...Object.keys(titles), 'More'])
  for (const [title, category] of Object.entries(titles))
    expect(cardNames(section(title))).toEqual(
      allCreators.filter((creator) => creator.category === category).map(({ name }) => name),
    )
})

test.each(Object.keys(titles))('View All shows the creators of %s in a dialog [CRE-23]', async (title) => {
  showPage()
  const names = cardNames(section(title))
  press(`View All of ${title}`)
  const dialog = await screen.findByRole('dialog', { name: title })
  expect(cardNames(dialog)).toEqual(names)
})

test('a reader sees on a card its cover, avatar, names, description, badge, tags, icons, keywords and counts [CRE-24 CRE-25 CRE-26 CRE-27 CRE-28 CRE-29 CRE-30]', () => {
  showPage()
  const of = card('Amara Okonjo', section('König'))
  expect(of.querySelectorAll('svg[viewBox="0 0 320 120"]')).toHaveLength(1)
  expect(of.querySelector('svg text')?.textContent).toBe('AO')
  expect(within(of).getByRole('heading', { level: 3 }).textContent).toBe('Amara Okonjo')
  expect(within(of).getByText('Amara of the Delta')).toBeTruthy()
  expect(within(of).getByText(amara.description)).toBeTruthy()
  expect(within(of).getByText('Verified')).toBeTruthy()
  expect(items(of, 'Tags')).toEqual(amara.tags.slice(0, 3))
  expect(amara.contentTypes).toHaveLength(5)
  expect(items(of, 'Content types')).toEqual([...amara.contentTypes.slice(0, 4), '+1 more: audio'])
  expect(of.querySelectorAll('ul[aria-label="Content types"] svg')).toHaveLength(4)
  expect(within(of).getByText('novel · delta · mothers')).toBeTruthy()
  expect(of.textContent).toContain('48.2K likes')
  expect(of.textContent).toContain('126.4K followers')
})

test('an unverified creator has no badge, and four content types need no sum [CRE-25 CRE-28]', () => {
  showPage()
  const unverified = allCreators.find(
    ({ isVerified, category, contentTypes }) =>
      !isVerified && category === 'multilingual' && contentTypes.length <= 4,
  )!
  const of = card(unverified.name, section('Multilingual'))
  expect(within(of).queryByText('Verified')).toBeNull()
  expect(items(of, 'Content types')).toEqual(unverified.contentTypes)
})

test('a reader follows a creator on the card until the page is loaded again, and nothing is sent [CRE-21 CRE-31 CRE-47 CRE-49]', () => {
  showPage()
  const zuri = card('Zuri Mwangi', section('Recently Added'))
  fireEvent.click(within(zuri).getByRole('button', { name: 'Follow Zuri Mwangi' }))
  fireEvent.click(within(zuri).getByRole('button', { name: 'Following Zuri Mwangi' }))
  expect(within(zuri).getByRole('button', { name: 'Follow Zuri Mwangi' })).toBeTruthy()
  expect(server.requests).toEqual([])
  expect(JSON.stringify({ ...localStorage })).not.toContain('zuri')
})

test('a reader opens the portfolio of a creator by the card, and reads the pieces [CRE-32 CRE-33 CRE-07]', async () => {
  showPage()
  const dialog = await open('Amara Okonjo')
  expect(dialog.getByText('Sample profile')).toBeTruthy()
  const tabs = dialog.getAllByRole('tab').map(({ textContent }) => textContent)
  expect(tabs).toEqual(['Portfolio', 'About', 'Reviews'])
  const pieces = dialog.getAllByRole('article')
  expect(pieces).toHaveLength(portfolio.samples.length)
  for (const [index, { title, content }] of portfolio.samples.entries()) {
    expect(within(pieces[index]!).getByRole('heading').textContent).toBe(title)
    expect(pieces[index]!.textContent).toContain(content)
  }
})

test('a reader learns about the creator and reads the reviews with their stars [CRE-33 CRE-05 CRE-09]', async () => {
  showPage()
  const dialog = await open('Leopold Brandt')
  fireEvent.click(dialog.getByRole('tab', { name: 'About' }))
  const about = dialog.getByRole('tabpanel').textContent
  const leopold = withPortfolio(creatorOf('Leopold Brandt'))
  for (const text of [leopold.description, ...leopold.tags, ...leopold.portfolio!.skills, '$60', 'May 2022'])
    expect(about).toContain(text)
  fireEvent.click(dialog.getByRole('tab', { name: 'Reviews' }))
  const reviews = within(dialog.getByRole('tabpanel')).getAllByRole('listitem')
  expect(reviews.map(({ textContent }) => textContent)).toEqual(
    leopold.portfolio!.testimonials.map(
      ({ rating, review, client }) => `${rating} of 5 stars${review}${client}`,
    ),
  )
  expect(reviews[1]!.querySelectorAll('.fill-current')).toHaveLength(4)
})

test('the portfolio shows followers, likes and availability [CRE-34 CRE-08]', async () => {
  showPage()
  const stats = (dialog: { getAllByRole: typeof screen.getAllByRole }) =>
    Object.fromEntries(
      dialog
        .getAllByRole('term')
        .slice(0, 3)
        .map((term) => [term.textContent, term.nextElementSibling?.textContent]),
    )
  const dialog = await open('Amara Okonjo')
  const before = { Followers: '126,400', Likes: '48,210', Availability: 'Available' }
  expect(stats(dialog)).toEqual(before)
  fireEvent.click(dialog.getByRole('button', { name: 'Follow Amara Okonjo' }))
  expect(stats(dialog)).toEqual({ ...before, Followers: '126,401' })
  cleanup()
  showPage()
  expect(stats(await open('Leopold Brandt'))).toMatchObject({ Availability: 'Busy' })
})

test('a creator without a portfolio has its stats and says that nothing is there yet [CRE-07 CRE-34]', async () => {
  showPage()
  press(`View All of ${Object.entries(titles).find(([, category]) => category === generated.category)![0]}`)
  const dialog = await open(generated.name)
  expect(dialog.getByText('Not stated')).toBeTruthy()
  expect(dialog.getByText('Nothing is in this portfolio yet.')).toBeTruthy()
  fireEvent.click(dialog.getByRole('tab', { name: 'Reviews' }))
  expect(dialog.getByText('No reviews yet.')).toBeTruthy()
})

test.each([
  ['Tip $5', 'Tip Amara Okonjo', 'Your $5 tip for Amara Okonjo is a demo: nothing was charged.'],
  [
    'Message with Premium',
    'Message Amara Okonjo',
    'Messaging Amara Okonjo for $5 monthly is a demo: nothing was charged.',
  ],
])(
  '%s of a portfolio opens a simulated payment of five dollars, which ends in a toast [CRE-35 CRE-36 CRE-50 TIP-03 TIP-08 TIP-09 TIP-10]',
  async (name, title, text) => {
    showPage()
    const dialog = await open('Amara Okonjo')
    fireEvent.click(dialog.getByRole('button', { name }))
    const payment = within(await screen.findByRole('dialog', { name: title }))
    expect(payment.getByText('This is a demo: nothing is charged.')).toBeTruthy()
    fireEvent.click(payment.getByRole('button', { name: 'Pay $5' }))
    expect(await screen.findByText(text)).toBeTruthy()
    expect(server.requests).toEqual([])
  },
)

test.each([
  ['a visitor', null],
  ['a guest', guest],
  ['a registered person', ana],
])('%s does not see Manage Categories [CRE-45]', (_, user) => {
  showPage(user)
  expect(screen.queryByText('Manage Categories')).toBeNull()
})

async function manage() {
  press('Manage Categories')
  return within(await screen.findByRole('dialog', { name: 'Manage Categories' }))
}

test('an admin assigns each creator to one of six categories [CRE-45 CRE-46 PERM-13]', async () => {
  showPage(admin)
  const dialog = await manage()
  expect(dialog.getAllByRole('combobox')).toHaveLength(34)
  const field = dialog.getByLabelText<HTMLSelectElement>('Amara Okonjo')
  expect([...field.options].map(({ value }) => value)).toEqual([...creatorCategories])
  for (const [title, category] of [...Object.entries(titles), ['More', 'more'] as const]) {
    fireEvent.change(field, { target: { value: category } })
    const shownIn = Object.keys(titles).filter((other) => cardNames(section(other)).includes('Amara Okonjo'))
    expect(shownIn).toEqual(category === 'more' ? [] : [title])
  }
  expect(server.requests).toEqual([])
})

test('categories that an admin assigned are kept in this browser, for everybody who uses it [CRE-46 CRE-47 CRE-49]', async () => {
  showPage(admin)
  fireEvent.change((await manage()).getByLabelText('Amara Okonjo'), { target: { value: 'most_creative' } })
  cleanup()
  showPage()
  expect(cardNames(section('König'))).not.toContain('Amara Okonjo')
  expect(cardNames(section('Most Creative'))).toContain('Amara Okonjo')
  cleanup()
  localStorage.setItem('creator-categories', '{"creator-amara-okonjo":"cellar"}')
  showPage()
  expect(cardNames(section('König'))).toContain('Amara Okonjo')
})

test('an admin whose browser cannot store the change reads that it lasts until the next load [CRE-49]', async () => {
  showPage(admin)
  const dialog = await manage()
  vi.stubGlobal('localStorage', {})
  fireEvent.change(dialog.getByLabelText('Amara Okonjo'), { target: { value: 'more' } })
  expect(dialog.getByText(/This browser could not keep the change/)).toBeTruthy()
})

test('a section that an admin has emptied says so, on the page and in its dialog [CRE-46 CRE-23]', async () => {
  const emptied = allCreators.filter(({ category }) => category === 'könig').map(({ id }) => [id, 'more'])
  localStorage.setItem('creator-categories', JSON.stringify(Object.fromEntries(emptied)))
  showPage()
  expect(within(section('König')).getByText('No creators are in this section.')).toBeTruthy()
  press('View All of König')
  const dialog = await screen.findByRole('dialog', { name: 'König' })
  expect(dialog.textContent).toContain('No creators are in this section.')
  expect(button('Close')).toBeTruthy()
})
