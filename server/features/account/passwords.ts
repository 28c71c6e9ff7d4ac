import { adminPasswordMinLength } from '#contract/account/fields.ts'
import { lengthInCodePoints } from '#contract/text.ts'
import type { Config } from '#server/config.ts'

/** Words that open the lists of leaked passwords; digits and signs around them change nothing. */
const commonWords = new Set(
  (
    'password passwort passw0rd pass admin administrator root login welcome letmein secret changeme default guest user ' +
    'qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx iloveyou loveyou princess sunshine dragon ' +
    'monkey football baseball basketball soccer superman batman starwars pokemon master shadow michael jordan jennifer ' +
    'charlie daniel thomas jessica ashley nicole hunter ranger harley mustang freedom whatever computer internet ' +
    'samsung google summer winter spring autumn flower cookie chocolate cheese banana killer trustno hello hallo ' +
    'zimmer zmmer story diary writer test testing temp'
  ).split(' '),
)
const runs =
  '01234567890123456789 abcdefghijklmnopqrstuvwxyz qwertyuiopasdfghjklzxcvbnm 98765432109876543210'.split(' ')
const leet: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
}

/** Whether a password is one of those that are tried first. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  if (/^(.{1,4})\1+$/u.test(lower) || runs.some((run) => run.includes(lower))) return true
  const word = lower.replace(/^[^a-z]+|[^a-z]+$/g, '')
  const parts = [word, unleeted(word), unleeted(lower), lower.replace(/[^a-z]/g, '')]
  return parts.some((part) => commonWords.has(part) || commonWords.has(halved(part)))
}

const unleeted = (text: string) => text.replace(/[013457@$]/g, (sign) => leet[sign]!).replace(/[^a-z]/g, '')

/** `passwordpassword` is no better than `password`. */
const halved = (text: string) => {
  const half = text.slice(0, text.length / 2)
  return half + half === text ? half : ''
}

/** What is wrong with a new password, by the settings (S13). */
export function refusalOfPassword(
  password: string,
  { passwordMinLength, refusesCommonPasswords }: Pick<Config, 'passwordMinLength' | 'refusesCommonPasswords'>,
  { isAdmin }: { isAdmin: boolean },
): { code: 'PasswordTooShort' | 'PasswordTooCommon'; error?: string } | undefined {
  const least = isAdmin ? Math.max(adminPasswordMinLength, passwordMinLength) : passwordMinLength
  if (lengthInCodePoints(password) < least) {
    return { code: 'PasswordTooShort', error: `Password must be at least ${least} characters` }
  }
  return (isAdmin || refusesCommonPasswords) && isCommonPassword(password)
    ? { code: 'PasswordTooCommon' }
    : undefined
}
