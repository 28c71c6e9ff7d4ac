import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { showcaseTypes, type ShowcaseItem } from '#contract/creators/showcase.ts'
import { button, press, show, startTestPage } from '#web/testing/page.tsx'
import { allCreators } from './sample-creators.ts'
import { Showcase } from './Showcase.tsx'
import { showcaseItems } from './showcase-items.ts'

const server = startTestPage()
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

const owner = 'k7q2m4xp3d'
const opened = vi.fn<(creatorId: string) => void>()
const showStack = () => show(<Showcase owner={owner} onOpen={opened} />, { user: null })
const [first, second] = showcaseItems as [ShowcaseItem, ShowcaseItem]
const last = showcaseItems.at(-1)!
const top = () => screen.getByRole('article')
const topTitle = () => within(top()).getByRole('heading').textContent
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const stored = () => JSON.parse(localStorage.getItem(`showcase:${owner}`)!) as ShowcaseItem[]

test.each(showcaseItems)('the piece $title of the showcase is complete [CRE-10 CRE-11]', (item) => {
  const creator = allCreators.find(({ id }) => id === item.creatorId)!
  expect(item).toEqual({
    id: expect.stringMatching(/^showcase-/),
    type: expect.any(String),
    title: expect.stringMatching(/\S/),
    content: expect.stringMatching(/\S/),
    creatorName: creator.name,
    creatorId: creator.id,
    avatar: expect.stringMatching(/^\p{L}{2}$/u),
    category: creator.genre,
    likes: expect.any(Number),
    isLiked: false,
  })
  expect(showcaseTypes).toContain(item.type)
})

test('the showcase has pieces of all three types, each with an id of its own [CRE-11]', () => {
  expect(showcaseTypes).toEqual(['poetry', 'writing', 'music'])
  expect(new Set(showcaseItems.map(({ type }) => type))).toEqual(new Set(showcaseTypes))
  expect(new Set(showcaseItems.map(({ id }) => id)).size).toBe(showcaseItems.length)
})

test('a reader sees one card of the stack with its creator and its text [CRE-13]', () => {
  showStack()
  expect(topTitle()).toBe(first.title)
  expect(top().textContent).toContain(first.creatorName)
  expect(top().textContent).toContain(first.content)
  fireEvent.click(within(top()).getByRole('button', { name: first.creatorName }))
  expect(opened).toHaveBeenLastCalledWith(first.creatorId)
})

test.each(['Pass', 'Approve'])(
  'a reader who presses %s sees the card slide away for 300 ms, and then the next one [CRE-14 CRE-17 CRE-18]',
  async (name) => {
    showStack()
    const before = top().className
    press(name)
    expect(top().className).not.toBe(before)
    await wait(299)
    expect(topTitle()).toBe(first.title)
    await wait(1)
    expect(topTitle()).toBe(second.title)
    expect(screen.getByRole('status').textContent).toContain(`${second.title} by ${second.creatorName}, 2 of`)
  },
)

test('a reader who passes or approves sees the card slide to the left or to the right [CRE-17]', () => {
  showStack()
  press('Pass')
  expect(top().className).toContain('-translate-x')
  press('Approve')
  expect(top().className).toMatch(/(?<!-)translate-x/)
})

test('a reader who has seen the last card sees the first one again [CRE-19]', async () => {
  showStack()
  for (const item of showcaseItems) {
    expect(topTitle()).toBe(item.title)
    press('Approve')
    await wait(300)
  }
  expect(topTitle()).toBe(first.title)
})

test('a reader who presses again while the card slides away does not wait for it [CRE-18]', async () => {
  showStack()
  press('Pass')
  press('Pass')
  expect(topTitle()).toBe(second.title)
  await wait(300)
  expect(topTitle()).toBe(showcaseItems[2]!.title)
})

test('a reader passes and approves by the arrow keys, and by no other key [CRE-14 CRE-17]', async () => {
  showStack()
  for (const key of ['a', 'Enter', 'ArrowDown']) fireEvent.keyDown(button('Pass'), { key })
  fireEvent.keyDown(button('Pass'), { key: 'ArrowLeft', altKey: true })
  await wait(300)
  expect(topTitle()).toBe(first.title)
  fireEvent.keyDown(button('Pass'), { key: 'ArrowLeft' })
  await wait(300)
  expect(topTitle()).toBe(second.title)
  fireEvent.keyDown(button('Pass'), { key: 'ArrowRight' })
  await wait(300)
  expect(topTitle()).toBe(showcaseItems[2]!.title)
})

function drag(pointerType: string, x: number, y = 0) {
  fireEvent.pointerDown(top(), { pointerType, clientX: 200, clientY: 200 })
  fireEvent.pointerMove(top(), { pointerType, clientX: 200 + x, clientY: 200 + y })
  const translate = top().style.translate
  fireEvent.pointerUp(top(), { pointerType, clientX: 200 + x, clientY: 200 + y })
  return translate
}

test.each([
  ['to the left', -120],
  ['to the right', 120],
])('a swipe %s moves the card with the finger and then away [CRE-17]', async (_, x) => {
  showStack()
  expect(drag('touch', x)).toBe(`${x}px`)
  expect(top().style.translate).toBe('')
  await wait(300)
  expect(topTitle()).toBe(second.title)
})

test('a short swipe, a scroll and a mouse that selects text leave the card where it is [CRE-17]', async () => {
  showStack()
  drag('touch', 60)
  expect(drag('touch', 90, 200)).toBe('')
  expect(drag('mouse', 200)).toBe('')
  await wait(300)
  expect(topTitle()).toBe(first.title)
  expect(top().style.translate).toBe('')
})

test('a reader who prefers reduced motion sees the next card at once [CRE-17]', async () => {
  vi.spyOn(globalThis, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList)
  showStack()
  press('Approve')
  await wait(0)
  expect(topTitle()).toBe(second.title)
})

test('a like adds one, and a second press takes it back [CRE-15 CRE-20]', () => {
  showStack()
  const like = () => button(/^Like/)
  expect(like().textContent).toBe(`Like${first.likes}`)
  fireEvent.click(like())
  expect([like().textContent, like().getAttribute('aria-pressed')]).toEqual([
    `Like${first.likes + 1}`,
    'true',
  ])
  fireEvent.click(like())
  expect([like().textContent, like().getAttribute('aria-pressed')]).toEqual([`Like${first.likes}`, 'false'])
})

test('the likes of a person are kept in this browser, sent nowhere, and not those of another person [CRE-12 CRE-47]', () => {
  showStack()
  fireEvent.click(button(/^Like/))
  expect(stored()).toEqual([{ ...first, likes: first.likes + 1, isLiked: true }, ...showcaseItems.slice(1)])
  cleanup()
  showStack()
  expect(button(/^Like/).textContent).toBe(`Like${first.likes + 1}`)
  cleanup()
  show(<Showcase owner="somebody-else" onOpen={opened} />)
  expect(button(/^Like/).textContent).toBe(`Like${first.likes}`)
  expect(server.requests).toEqual([])
})

test('a like in another tab is shown in this one, and the next like here keeps it [CRE-12]', async () => {
  showStack()
  const ofOtherTab = showcaseItems.map((item) => ({ ...item, isLiked: item.id === first.id }))
  localStorage.setItem(`showcase:${owner}`, JSON.stringify(ofOtherTab))
  press('Pass')
  await wait(300)
  fireEvent.click(button(/^Like/))
  expect(stored().flatMap(({ id, isLiked }) => (isLiked ? [id] : []))).toEqual([first.id, second.id])
  localStorage.setItem(`showcase:${owner}`, JSON.stringify(ofOtherTab))
  act(() => void dispatchEvent(new StorageEvent('storage', { key: `showcase:${owner}` })))
  expect(button(/^Like/).getAttribute('aria-pressed')).toBe('false')
})

test('a like is shown where the browser can store nothing, and is stored with the next one that it can [CRE-15]', async () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  showStack()
  fireEvent.click(button(/^Like/))
  expect(button(/^Like/).getAttribute('aria-pressed')).toBe('true')
  full.mockRestore()
  press('Pass')
  await wait(300)
  fireEvent.click(button(/^Like/))
  expect(stored().flatMap(({ id, isLiked }) => (isLiked ? [id] : []))).toEqual([first.id, second.id])
})

test('a reader whose stored showcase is damaged or older sees all pieces of the page [CRE-12]', () => {
  localStorage.setItem(`showcase:${owner}`, '[{"id":7}]')
  showStack()
  expect(topTitle()).toBe(first.title)
  cleanup()
  const older = { ...last, content: 'An older text', likes: 9999, isLiked: true }
  localStorage.setItem(`showcase:${owner}`, JSON.stringify([older]))
  showStack()
  fireEvent.click(button(/^Like/))
  expect(stored().at(-1)).toEqual({ ...last, likes: last.likes + 1, isLiked: true })
})

test('the message button opens the simulated payment of $5 monthly [CRE-16 CRE-50 TIP-09]', async () => {
  vi.useRealTimers()
  showStack()
  press(`Message ${first.creatorName}`)
  const dialog = within(await screen.findByRole('dialog', { name: `Message ${first.creatorName}` }))
  expect(dialog.getByText('Messages with Premium for $5 monthly')).toBeTruthy()
  fireEvent.keyDown(dialog.getByRole('button', { name: 'Pay $5' }), { key: 'ArrowRight' })
  fireEvent.click(dialog.getByRole('button', { name: 'Pay $5' }))
  expect(
    await screen.findByText(`Messaging ${first.creatorName} for $5 monthly is a demo: nothing was charged.`),
  ).toBeTruthy()
  expect(topTitle()).toBe(first.title)
  expect(server.requests).toEqual([])
})
