import { cleanup, render } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { useDrawnHeight } from './drawn-height.ts'

afterEach(cleanup)

let drawn: number[] = []
function List() {
  const height = useDrawnHeight()
  drawn.push(height)
  return null
}

test('a list that the browser renders fills the window first, and then is whole', () => {
  drawn = []
  render(<List />)
  expect([drawn[0], drawn.at(-1)]).toEqual([innerHeight, Infinity])
})

test('a list that the server renders is whole', () => {
  drawn = []
  renderToString(<List />)
  expect(drawn).toEqual([Infinity])
})
