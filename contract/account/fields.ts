import * as z from 'zod/mini'
import { hasRefusedCharacters, isBlank, lengthInCodePoints } from '#contract/text.ts'

export const nameLength = { min: 2, max: 50 }
export const emailMaxLength = 100
export const passwordLength = { min: 6, max: 128 }
export const adminPasswordMinLength = 12
export const writingSampleLength = { min: 10, max: 5000 }
/** What the sign-in form asks before it sends; the server refuses the rest like any wrong passcode. */
export const signInPasscodeMinLength = 3

/** Filled into empty sign-in fields: public text; such an account exists only in demo mode. */
export const demoAccount = { email: 'demo@zimmer.example', password: 'demo123' }

export const namesMessage = 'Please enter your name and email'
export const passcodeMessage = 'Passcode must be at least 6 characters'
export const passwordMessage = 'Password must be at least 6 characters'
export const writingSampleMessage = 'Please write at least a few words about yourself'
const passwordTooLong = `Please use at most ${passwordLength.max} characters.`

// Direction overrides and isolates could make a name read as another one.
const controlOrDirection = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
const simpleAddress = /^[^\s@"<>(),;:\\[\]]+@[^\s@"<>(),;:\\[\]]+\.[^\s@"<>(),;:\\[\].]+$/
const asciiOnly = /^[\x21-\x7e]+$/

/** One trimmed, lower-cased ASCII address (S9). */
export const Email = z.string(namesMessage).check(
  z.trim(),
  z.toLowerCase(),
  z.refine(
    (text) => text.length <= emailMaxLength && asciiOnly.test(text) && simpleAddress.test(text),
    namesMessage,
  ),
)

const isName = (text: string, min: number) =>
  !isBlank(text) &&
  !controlOrDirection.test(text) &&
  !hasRefusedCharacters(text) &&
  lengthInCodePoints(text) >= min &&
  lengthInCodePoints(text) <= nameLength.max

const NameText = (min: number) =>
  z.string(namesMessage).check(
    z.trim(),
    z.normalize('NFC'),
    z.refine((text) => isName(text, min), namesMessage),
  )

/** The whole name of a person, 2 to 50 characters, as onboarding asks it. */
export const Name = NameText(nameLength.min)
/** One part of a name, as registration by field takes it. */
export const NamePart = NameText(1)

export const Username = z
  .string()
  .check(
    z.regex(
      /^[a-z0-9][a-z0-9._-]{1,29}$/,
      'A username has 2 to 30 letters, digits, dots, dashes or underscores.',
    ),
  )

/** A new password; the least length may be raised by the server. */
export const NewPassword = (tooShort: string) =>
  z.string(tooShort).check(
    z.refine(
      (text) => !hasRefusedCharacters(text) && lengthInCodePoints(text) >= passwordLength.min,
      tooShort,
    ),
    z.refine((text) => [...text].length <= passwordLength.max, passwordTooLong),
  )

/** The passcode of onboarding: letters and digits only. */
export const Passcode = NewPassword(passcodeMessage).check(
  z.regex(/^[\p{L}\p{N}]*$/u, `${passcodeMessage}. Use letters and digits only`),
)

/** A password that is only compared: any length over the maximum is refused before any work. */
export const TypedPassword = z.string('Please enter email and passcode.').check(
  z.minLength(1, 'Please enter email and passcode.'),
  z.refine((text) => !hasRefusedCharacters(text), 'Please enter email and passcode.'),
  z.refine((text) => [...text].length <= passwordLength.max, passwordTooLong),
)

export const WritingSample = z.string(writingSampleMessage).check(
  z.refine(
    (text) => !isBlank(text) && lengthInCodePoints(text) >= writingSampleLength.min,
    writingSampleMessage,
  ),
  z.refine((text) => !hasRefusedCharacters(text), 'This text holds characters that cannot be kept.'),
  z.refine(
    (text) => lengthInCodePoints(text) <= writingSampleLength.max,
    `Please write at most ${writingSampleLength.max} characters.`,
  ),
)
