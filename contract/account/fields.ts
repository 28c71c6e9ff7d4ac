import * as z from 'zod/mini'
import {
  emailMaxLength,
  isAddress,
  nameLength,
  passcodeMessage,
  passwordLength,
  writingSampleLength,
} from '#contract/account/rules.ts'
import { storable } from '#contract/schemas.ts'
import { fits, hasRefusedCharacters, isBlank, lengthInCodePoints, nfc } from '#contract/text.ts'

const usernameLength = { min: 2, max: 30 }

const namesMessage = 'Please enter your name and email'
const writingSampleMessage = 'Please write at least a few words about yourself'
const passwordTooLong = `Please use at most ${passwordLength.max} characters.`

// Direction characters could make a name look like another one.
const controlOrDirection = /[\p{Cc}\p{Bidi_Control}]/u

/** A name that others see holds no control characters and none that turn the direction of text (S9, S56). */
export const onOneLine = z.refine<string>(
  (name) => !controlOrDirection.test(name),
  'Please use a name without control or direction characters.',
)

/** A combining mark without a letter is no name (S9, S56). */
export const withLetters = z.refine<string>(
  (name) => !isBlank(name.replace(/\p{M}/gu, '')),
  'Please use a name with visible letters.',
)

/** One trimmed, lower-cased ASCII address. A letter beyond ASCII is refused before it could become one of ASCII. */
export const Email = z
  .string(namesMessage)
  .check(z.trim(), z.refine(isAddress, namesMessage), z.toLowerCase(), z.meta({ maxLength: emailMaxLength }))

const NameText = (min: number) =>
  z.string(namesMessage).check(
    z.trim(),
    z.overwrite(nfc),
    z.refine((name) => !isBlank(name), namesMessage),
    ...storable,
    onOneLine,
    withLetters,
    z.refine((name) => fits(name, nameLength.max) && lengthInCodePoints(name) >= min, namesMessage),
    z.meta({ maxLength: nameLength.max }),
  )

/** The whole name of a person, 2 to 50 characters, as onboarding asks it. */
export const Name = NameText(nameLength.min)
/** One part of a name, as registration by field takes it. */
export const NamePart = NameText(1)

export const Username = z
  .string()
  .check(
    z.regex(
      new RegExp(`^[a-z0-9][a-z0-9._-]{${usernameLength.min - 1},${usernameLength.max - 1}}$`),
      `A username has ${usernameLength.min} to ${usernameLength.max} letters, digits, dots, dashes or underscores.`,
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
    z.meta({ maxLength: passwordLength.max }),
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
  z.meta({ maxLength: passwordLength.max }),
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
  z.meta({ maxLength: writingSampleLength.max }),
)
