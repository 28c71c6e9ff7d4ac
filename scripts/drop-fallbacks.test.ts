import { expect, test } from 'vitest'
import { dropFallbacksOfReact } from '../vite.config.ts'

const { filter, handler } = dropFallbacksOfReact().transform as unknown as {
  filter: { id: RegExp }
  handler: (code: string) => { code: string }
}

test('the page receives React without code for a browser that we do not support', () => {
  const { code } = handler('var a = "function" === typeof reportError ? reportError : b;')
  expect(code).toBe(`var a = "function" === 'function' ? reportError : b;`)
})

test.each(['typeof process.emit', 'typeof reportErrors', 'typeof Symbol', 'reportError'])(
  'the build keeps %s of React',
  (code) => expect(handler(code).code).toBe(code),
)

test('the build changes the code of React alone', () => {
  expect(filter.id.test('/p/node_modules/react-dom/cjs/react-dom-client.production.js')).toBe(true)
  expect(filter.id.test('/p/node_modules/@tanstack/react-query/build/modern/useQuery.js')).toBe(false)
  expect(filter.id.test('/p/web/app.tsx')).toBe(false)
})
