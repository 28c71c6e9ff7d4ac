import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { styleSingleton } from './style-singleton.ts'

afterEach(cleanup)

test('of several styles only the first is applied, without a style tag, and it is removed with the last', () => {
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
