import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const web = join(import.meta.dirname, '..')

/** Classes that name the left or the right side, with their variants. */
const physical =
  /(?<=["'`\s])(?:[^\s"'`]+:)?-?(?:(?:scroll-)?[mp][lr]-|(?:left|right)-(?=[\d[(]|auto|full|px)|(?:border|rounded)-(?:[lr]|[tb][lr])(?![\w])|(?:text|float|clear)-(?:left|right)(?!\w))[\w.[\]()%-]*/g

const physicalIn = (text: string) => text.match(physical) ?? []

test('classes name the start and the end of a line, not left and right, so that they also fit a page that runs from right to left', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: web, exclude: ['**/*.test.{ts,tsx}'] }).toSorted()
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((file) =>
    physicalIn(readFileSync(join(web, file), 'utf8')).map((name) => `${file} ${name}`),
  )
  // A script moves it by pixels of the window.
  expect(found).toEqual(['ui/Tooltip.tsx left-0'])
})

test.each([
  ['<p className="-mr-2 flex">', ['-mr-2']],
  ["cx('well pl-9', 'sm:text-right')", ['pl-9', 'sm:text-right']],
  ['<p className="md:right-auto md:-left-2 border-l-2">', ['md:right-auto', 'md:-left-2', 'border-l-2']],
  [
    '<p className="rounded-l-lg rounded-tr file:mr-3 border-r">',
    ['rounded-l-lg', 'rounded-tr', 'file:mr-3', 'border-r'],
  ],
  ['<p className="ms-2 ps-9 text-start inset-s-3 border-s-2 rounded-lg mt-1 px-2">', []],
  ['// On the right-hand side: a text left alone', []],
])('the check finds in %s the classes %j', (text, names) => {
  expect(physicalIn(text)).toEqual(names)
})
