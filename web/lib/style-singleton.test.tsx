import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { styleSingleton } from './style-singleton.ts'

afterEach(cleanup)

test('of several at once only the first style counts, and it goes with the last, without a style tag', () => {
  const Styles = styleSingleton()
  const first = render(<Styles styles="body { margin-right: 15px }" />)
  const second = render(<Styles styles="body { margin-right: 0 }" />)
  expect(rules().join('')).toContain('15px')
  expect(rules()).toHaveLength(1)
  expect(document.querySelector('style')).toBeNull()

  first.unmount()
  expect(rules()).toHaveLength(1)
  second.unmount()
  expect(rules()).toEqual([])
})

const rules = () =>
  document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText)
