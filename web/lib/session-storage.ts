/** The keys of session data; no other ones are used for it. */
export type SessionKey = 'lastUserEmail' | 'userId' | 'onboardingCompleted' | 'guestId' | 'guestDeviceId'

/** Storage may be full, forbidden or missing: then nothing is remembered, and the page works. */
function safely<T>(work: () => T, otherwise: T): T {
  try {
    return work()
  } catch {
    return otherwise
  }
}

export const readKey = (key: SessionKey): string | null => safely(() => localStorage.getItem(key), null)
export const writeKey = (key: SessionKey, value: string): void =>
  safely(() => localStorage.setItem(key, value), undefined)
export const removeKey = (key: SessionKey): void => safely(() => localStorage.removeItem(key), undefined)

export const isOnboardingCompleted = (): boolean => readKey('onboardingCompleted') === 'true'
export const completeOnboarding = (): void => writeKey('onboardingCompleted', 'true')
export const clearOnboarding = (): void => removeKey('onboardingCompleted')

/** This tab looks at the feed without a session. */
const browsing = 'browsing'
export const isBrowsing = (): boolean => safely(() => sessionStorage.getItem(browsing) === 'true', false)
export const startBrowsing = (): void => safely(() => sessionStorage.setItem(browsing, 'true'), undefined)
export const stopBrowsing = (): void => safely(() => sessionStorage.removeItem(browsing), undefined)

/** A cookie without a secret that says whether a session is to be expected. */
export const hasSessionMark = (): boolean => /(?:^|;\s*)signed-in=1(?:;|$)/.test(document.cookie)

/** What signing out forgets; the email stays for the next sign-in. */
export function forgetSession(): void {
  for (const key of ['onboardingCompleted', 'userId', 'guestDeviceId', 'guestId'] as const) removeKey(key)
}

/** A random id of letters and digits, also where `randomUUID` is missing. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** Names what this browser keeps for somebody without an account, such as the diary; made when first needed. */
export function guestId(): string {
  const id = readKey('guestId') ?? randomId()
  writeKey('guestId', id)
  return id
}
