import {
  changeInstanceSettings,
  getInstance,
  getInstancePage,
  getInstanceSettings,
} from '#contract/instance/endpoints.ts'
import { type CallRow, admins, everyone, row, someTime } from './row.ts'

export const instanceCalls: readonly CallRow[] = [
  row(getInstance, everyone),
  row(getInstancePage, everyone, () => ({ params: { page: 'terms' } })),
  row(getInstanceSettings, admins),
  row(changeInstanceSettings, admins, () => ({
    input: {
      base: null,
      name: 'The Mill',
      description: 'Writers by the river.',
      welcome: 'Come in.',
      supportEmail: 'mill@example.org',
      imprint: 'The Mill, 1 River Lane',
      accent: 'moss',
      icon: 'book',
      terms: 'Be kind.',
      privacy: 'Your diary is yours.',
      rules: 'Write.',
      competition: true,
      premium: true,
      tips: true,
      samples: true,
      registration: 'open',
      registrationQuestion: 'Why here?',
      guests: true,
      submissions: true,
      publicRooms: true,
      announcement: { text: 'We meet on Friday.', link: '/rules', endsAt: someTime },
      watchedWords: 'buy now',
      refusedEmails: 'spam.example',
      refusedNetworks: '203.0.113.0/24',
      modelTraining: false,
    },
  })),
]
