import * as z from 'zod/mini'
import {
  Email,
  Name,
  NamePart,
  NewPassword,
  Passcode,
  TypedPassword,
  Username,
  WritingSample,
} from '#contract/account/fields.ts'
import { Agrees, RegistrationToken } from '#contract/account/registration/endpoints.ts'
import { passwordMessage } from '#contract/account/rules.ts'
import { User } from '#contract/account/user.ts'
import { endpoint } from '#contract/endpoint.ts'
import { Done } from '#contract/schemas.ts'
import { hasRefusedCharacters } from '#contract/text.ts'

export const getMe = endpoint({
  summary: 'Answers the person of the session or of the API token.',
  description: 'With a token `email` is null.',
  method: 'GET',
  path: '/api/me',
  output: User,
})

export const login = endpoint({
  summary: 'Opens a session by email address and password.',
  description:
    'A suspended person gets `Suspended` with the reason and the end in `current`, and a wrong password the same answer as anybody.',
  method: 'POST',
  path: '/api/login',
  // Any text may be tried as an email: an unknown one is a wrong one.
  input: z.object({
    email: z.string('Please enter email and passcode.').check(
      z.trim(),
      z.toLowerCase(),
      z.minLength(1, 'Please enter email and passcode.'),
      z.maxLength(320, 'Please enter email and passcode.'),
      z.refine((text) => !hasRefusedCharacters(text), 'Please enter email and passcode.'),
    ),
    password: TypedPassword,
  }),
  output: User,
  errors: [
    'WrongCredentials',
    'SignInThrottled',
    'AdminPasswordWeak',
    'ModeratorPasswordWeak',
    'Suspended',
    'RegistrationWaits',
    'RegistrationRefused',
  ],
})

/** Why a registration is refused, however the person signs up. */
export const registrationErrors = [
  'RegistrationClosed',
  'RegistrationNeedsApproval',
  'RegistrationNeedsLink',
  'RegistrationLinkRefused',
  'NetworkRefused',
  'EmailRefused',
  'EmailTaken',
  'UsernameTaken',
  'NameReserved',
  'PasswordTooShort',
  'PasswordTooCommon',
  'AgreementRequired',
] as const

export const register = endpoint({
  summary: 'Makes an account and opens a session for it.',
  method: 'POST',
  path: '/api/register',
  input: z.object({
    email: Email,
    password: NewPassword(passwordMessage),
    firstName: z.optional(NamePart),
    lastName: z.optional(NamePart),
    username: z.optional(Username),
    agrees: Agrees,
    registrationToken: z.optional(RegistrationToken),
  }),
  output: User,
  status: 201,
  errors: registrationErrors,
})

export const registerByOnboarding = endpoint({
  summary: 'Makes an account as the onboarding pages do, and opens a session for it.',
  method: 'POST',
  path: '/api/onboarding/register',
  input: z.object({
    name: Name,
    email: Email,
    passcode: Passcode,
    writingSample: WritingSample,
    agrees: Agrees,
    registrationToken: z.optional(RegistrationToken),
  }),
  output: z.object({ user: User }),
  status: 201,
  errors: registrationErrors,
})

export const checkEmail = endpoint({
  summary: 'Answers whether an email address is free for a registration.',
  method: 'POST',
  path: '/api/onboarding/email-checks',
  input: z.object({ email: Email, registrationToken: z.optional(RegistrationToken) }),
  output: Done,
  errors: [
    'RegistrationClosed',
    'RegistrationNeedsLink',
    'RegistrationLinkRefused',
    'NetworkRefused',
    'EmailRefused',
    'EmailTaken',
  ],
})

export const loginAsGuest = endpoint({
  summary: 'Opens a session without an account.',
  description: 'With an open session the answer is the person of that session, and nothing changes.',
  method: 'POST',
  path: '/api/guest-login',
  output: User,
  errors: ['GuestsOff'],
})

export const logout = endpoint({
  summary: 'Ends the session.',
  method: 'POST',
  path: '/api/logout',
  output: Done,
})

export const changePassword = endpoint({
  summary: 'Changes the password of the caller.',
  description: 'Without `currentPassword` the session must be less than 15 minutes old.',
  method: 'POST',
  path: '/api/auth/simple-change-password',
  input: z.object({
    newPassword: NewPassword(passwordMessage),
    currentPassword: z.optional(TypedPassword),
  }),
  output: Done,
  errors: ['SignInAgainToChangePassword', 'PasswordTooShort', 'PasswordTooCommon', 'DemoAccountStays'],
})

export const deleteAccount = endpoint({
  summary: 'Deletes the account of the caller with all private data.',
  method: 'DELETE',
  path: '/api/delete-account',
  output: Done,
  errors: ['SignInAgainToDeleteAccount', 'AdminStays', 'DemoAccountStays', 'HiddenTextsWouldReturn'],
})
