import { storedText } from '#web/lib/storage.ts'

/** The answer to the question of the admins. Like the rest of the typed text it lasts as long as this tab. */
export const storedAnswer = storedText('onboarding-answer', { area: 'sessionStorage' })
