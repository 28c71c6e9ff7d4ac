import { storedText } from '#web/lib/storage.ts'

/** Whether the person of this browser has completed the onboarding. Other tabs follow this key. */
const flag = storedText('onboardingCompleted')
export const completeOnboarding = (): boolean => flag.write('true')
export const clearOnboarding = (): void => flag.remove()
