import * as z from 'zod/mini'
import { storable } from '#contract/schemas.ts'
import { fits, hasRefusedCharacters, isBlank, lengthInCodePoints, nfc } from '#contract/text.ts'

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

// Direction characters could make a name look like another one.
const controlOrDirection = /[\p{Cc}\p{Bidi_Control}]/u

/** A name that others see holds no control characters and none that turn the direction of text (S9, S56). */
export const onOneLine = z.refine<string>(
  (name) => !controlOrDirection.test(name),
  'Please use a name without control or direction characters.',
)

// The parts of a domain, and of the local part, are what HTML takes for <input type=email>.
const atom = String.raw`[\w!#$%&'*+/=?^\`{|}~-]+`
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const address = new RegExp(String.raw`^(?=.{1,64}@)${atom}(?:\.${atom})*@${label}(?:\.${label})+$`, 'i')

/** Whether a text is one ASCII address, `dot-atom@domain`, with at least two labels in the domain (S9). */
export const isAddress = (text: string) => text.length <= emailMaxLength && address.test(text)

/** One trimmed, lower-cased ASCII address. A letter beyond ASCII is refused before it could become one of ASCII. */
export const Email = z
  .string(namesMessage)
  .check(z.trim(), z.refine(isAddress, namesMessage), z.toLowerCase())

const NameText = (min: number) =>
  z.string(namesMessage).check(
    z.trim(),
    z.overwrite(nfc),
    z.refine((name) => !isBlank(name), namesMessage),
    ...storable,
    onOneLine,
    z.refine((name) => fits(name, nameLength.max) && lengthInCodePoints(name) >= min, namesMessage),
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
  ...storable,
  z.refine(
    (text) => fits(text, writingSampleLength.max),
    `Please write at most ${writingSampleLength.max} characters.`,
  ),
)
