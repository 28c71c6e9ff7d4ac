import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { publicAddress } from './public-address.ts'

test.each([
  [{ PUBLIC_ORIGIN: 'https://zimmer.example' }, 'https://zimmer.example/posts/1'],
  [{ PUBLIC_ORIGIN: 'https://zimmer.example/', PORT: '8080' }, 'https://zimmer.example/posts/1'],
  [{ PUBLIC_ORIGIN: 'http://zimmer.example:8080' }, 'http://zimmer.example:8080/posts/1'],
  [{ PORT: '8080' }, 'http://localhost:8080/posts/1'],
  [{}, 'http://localhost:3000/posts/1'],
])('a path has its public address with the settings %j', (environment, expected) => {
  expect(publicAddress(readConfig(environment), '/posts/1')).toBe(expected)
})
