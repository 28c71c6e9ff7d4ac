import { storedText } from './storage.ts'

/** The keys by which this browser knows who uses it, in its local storage. */
type SessionKey = 'lastUserEmail' | 'userId' | 'guestId' | 'guestDeviceId'

export const readKey = (key: SessionKey): string | null => storedText(key).read()
export const writeKey = (key: SessionKey, value: string): boolean => storedText(key).write(value)
export const removeKey = (key: SessionKey): void => storedText(key).remove()

/** This tab shows the pages to a visitor without a session. */
const browsing = storedText('browsing', { area: 'sessionStorage' })
export const isBrowsing = (): boolean => browsing.read() === 'true'
export const startBrowsing = (): boolean => browsing.write('true')
export const stopBrowsing = (): void => browsing.remove()

/** A cookie without a secret that says whether a session is to be expected. */
export const hasSessionMark = (): boolean =>
  typeof document === 'object' && /(?:^|;\s*)signed-in=1(?:;|$)/.test(document.cookie)

/** A random id of letters and digits, also where `randomUUID` is missing. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  )

/** The id under which this browser keeps the texts of a person without an account; made when first needed. */
export function guestId(): string {
  const id = readKey('guestId') ?? randomId()
  writeKey('guestId', id)
  return id
}
