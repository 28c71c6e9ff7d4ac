import { act, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { FakeObserver, fakeObservers } from '#web/testing/fake-observer.ts'
import { show, startTestPage } from '#web/testing/page.tsx'
import { MoreList } from './MoreList.tsx'
import { allCreators, byName } from './sample-creators.ts'

startTestPage()
const sorted = allCreators.toSorted(byName)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fakeObservers()
  show(<MoreList creators={allCreators} onOpen={() => {}} />)
})

const names = () =>
  screen.queryAllByRole('listitem').map((row) => within(row).getAllByRole('button')[0]!.textContent)
const newestObserver = () => FakeObserver.created.at(-1)!
const scrollToEnd = () => newestObserver().report(true)
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const shown = () => ({ names: names(), count: screen.getByRole('status').textContent })
const firstOf = (count: number) => ({
  names: sorted.slice(0, count).map(({ name }) => name),
  count: `${count} of 34`,
})

test('a reader sees the first 5 of 34 creators in the order of their names, with a heading for each letter [CRE-37 CRE-38 CRE-39 CRE-48]', () => {
  expect(shown()).toEqual(firstOf(5))
  const letters = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  expect(letters).toEqual([...new Set(sorted.slice(0, 5).map(({ firstLetter }) => firstLetter))])
  const ofA = within(screen.getByRole('region', { name: 'A' })).getAllByRole('listitem')
  expect(ofA).toHaveLength(sorted.filter(({ firstLetter }) => firstLetter === 'A').length)
})

test('a reader who scrolls to the end marker sees 5 more 800 ms later [CRE-40 CRE-41 CRE-42]', async () => {
  expect([...newestObserver().observed].map(({ textContent }) => textContent)).toEqual([
    'Loading more creators...',
  ])
  expect(newestObserver().options.threshold).toBe(0.1)
  newestObserver().report(false)
  await wait(2000)
  expect(shown()).toEqual(firstOf(5))
  scrollToEnd()
  await wait(799)
  expect(shown()).toEqual(firstOf(5))
  await wait(1)
  expect(shown()).toEqual(firstOf(10))
})

test('an end marker that leaves the screen again loads the 5 creators once [CRE-40]', async () => {
  const observer = newestObserver()
  scrollToEnd()
  observer.report(false)
  observer.report(true)
  await wait(1600)
  expect(shown()).toEqual(firstOf(10))
})

test('a reader who goes on sees all 34 creators, and then that all are loaded [CRE-43 CRE-44 CRE-48]', async () => {
  for (const count of [10, 15, 20, 25, 30, 34]) {
    expect(screen.queryByText('All creators loaded!')).toBeNull()
    scrollToEnd()
    await wait(800)
    expect(shown()).toEqual(firstOf(count))
  }
  expect(screen.getByText('All creators loaded!')).toBeTruthy()
  expect(screen.queryByText('Loading more creators...')).toBeNull()
  const letters = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
  expect(letters).toEqual(letters.toSorted())
  expect(new Set(letters)).toEqual(new Set(allCreators.map(({ firstLetter }) => firstLetter)))
})
