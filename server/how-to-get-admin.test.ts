import { expect, test } from 'vitest'
import { howToGetAdmin } from './how-to-get-admin.ts'

test.each([
  ['by npm', { npm_lifecycle_event: 'start' }, '"npm run zimmer -- admin grant EMAIL"'],
  [
    'in a container, which has no npm',
    {},
    '"docker exec --interactive --tty CONTAINER node server/zimmer.ts admin grant EMAIL"',
  ],
])(
  'an operator of an instance that was started %s reads the command that works there [LOOP-32]',
  (_how, environment, command) => {
    expect(howToGetAdmin(environment)).toContain(command)
    expect(howToGetAdmin(environment)).toContain('ADMIN_EMAIL and ADMIN_PASSWORD')
  },
)
