import { expect, test } from 'vitest'
import { favouriteCreators, recentlyViewed } from './feed-people.ts'

test('favourite creators are up to 8 followed ones [FEED-18]', () => {
  const people = Array.from({ length: 20 }, (_, index) => ({ id: `${index}`, isFollowing: index % 2 === 0 }))
  expect(favouriteCreators(people).map(({ id }) => id)).toEqual(['0', '2', '4', '6', '8', '10', '12', '14'])
})

test('recently viewed are up to 6 creators who are not followed [FEED-19]', () => {
  const people = Array.from({ length: 20 }, (_, index) => ({ id: `${index}`, isFollowing: index % 2 === 0 }))
  expect(recentlyViewed(people, []).map(({ id }) => id)).toEqual(['1', '3', '5', '7', '9', '11'])
})

test('recently viewed lists opened profiles first, the last opened before all [FEED-25]', () => {
  const people = ['a', 'b', 'c', 'd'].map((id) => ({ id, isFollowing: id === 'd' }))
  expect(recentlyViewed(people, ['c', 'b', 'd', 'c']).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
})
