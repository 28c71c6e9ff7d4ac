import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { adminPasswordMinLength } from '#contract/account/rules.ts'
import { lengthInCodePoints } from '#contract/text.ts'
import type { Config } from '#server/config.ts'

/** Words that an attacker tries here first, and that the list of leaked passwords does not contain. */
const ownWords = 'login qwertz zimmer zmmer story diary writer'.split(' ')
/** A password with many digits and signs may contain a shorter word by chance. */
const shortestWord = 4

let list: Promise<string> | undefined

/**
 * All common words, each between two line feeds. They are loaded at the first check, because most processes need none,
 * and in a thread, because unpacking them would keep the event loop busy for too long (S51).
 */
async function commonWords(): Promise<string> {
  list ??= loadLeaked().then((leaked) => `\n${leaked}\n${ownWords.join('\n')}\n`)
  try {
    return await list
  } catch (error) {
    list = undefined
    throw error
  }
}

async function loadLeaked(): Promise<string> {
  const [leaked] = await once(new Worker(new URL('./leaked-passwords-thread.ts', import.meta.url)), 'message')
  return leaked as string
}

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

/** Whether a password is one that attackers try first. Digits and signs around a word change nothing. */
export async function isCommonPassword(password: string): Promise<boolean> {
  const lower = password.toLowerCase()
  if (/^(.{1,4})\1+$/u.test(lower) || runs.some((run) => run.includes(lower))) return true
  const word = lower.replace(/^[^a-z]+|[^a-z]+$/g, '')
  const parts = [lower, word, unleeted(word), unleeted(lower), lower.replace(/[^a-z]/g, '')]
  const words = [...parts, ...parts.map(halved)].filter((part) => part.length >= shortestWord)
  const common = await commonWords()
  return words.some((part) => common.includes(`\n${part}\n`))
}

const unleeted = (text: string) => text.replace(/[013457@$]/g, (sign) => leet[sign]!).replace(/[^a-z]/g, '')

/** `passwordpassword` is no better than `password`. */
const halved = (text: string) => {
  const half = text.slice(0, text.length / 2)
  return half + half === text ? half : ''
}

/** What is wrong with a new password, by the settings (S13). */
export async function refusalOfPassword(
  password: string,
  { passwordMinLength, refusesCommonPasswords }: Pick<Config, 'passwordMinLength' | 'refusesCommonPasswords'>,
  { mayModerate }: { mayModerate: boolean },
): Promise<{ code: 'PasswordTooShort' | 'PasswordTooCommon'; error?: string } | undefined> {
  const least = mayModerate ? Math.max(adminPasswordMinLength, passwordMinLength) : passwordMinLength
  if (lengthInCodePoints(password) < least)
    return { code: 'PasswordTooShort', error: `Password must be at least ${least} characters` }
  return (mayModerate || refusesCommonPasswords) && (await isCommonPassword(password))
    ? { code: 'PasswordTooCommon' }
    : undefined
}
