import { linksMax } from './registration/rules.ts'
import { adminPasswordMinLength, passwordMessage } from './rules.ts'

export const accountErrors = {
  WrongCredentials: { status: 401, error: 'Email or passcode is not right.' },
  SignInThrottled: { status: 429, error: 'Too many tries. Please wait a moment before you sign in again.' },
  AdminPasswordWeak: {
    status: 403,
    error:
      'The passcode of this account is too weak for an admin. Ask the operator of this server to set another one with "npm run zimmer -- password EMAIL".',
  },
  ModeratorPasswordWeak: {
    status: 403,
    error: `You are a moderator now, and your passcode is too weak for that: it needs at least ${adminPasswordMinLength} characters and must not be common. Ask an admin for a link that sets a new one.`,
  },
  /** The same answer for a wrong code and for an instance that has an admin. */
  SetupRefused: { status: 403, error: 'This code is not right, or it is no longer good.' },
  RegistrationClosed: { status: 403, error: 'Nobody new can sign up here at the moment.' },
  RegistrationNeedsLink: {
    status: 403,
    error: 'People sign up here by an invitation link. Please ask an admin for one.',
  },
  /** The same answer for every link by which nobody can register. */
  RegistrationLinkRefused: {
    status: 403,
    error: 'This invitation link is no longer good. Please ask an admin for a new one.',
  },
  RegistrationNeedsApproval: {
    status: 403,
    error: 'An admin decides here who signs up. Please reload the page and sign up there.',
  },
  RegistrationNotByApproval: {
    status: 403,
    error: 'No admin decides here who signs up. Please reload the page and sign up there.',
  },
  RegistrationQueueFull: {
    status: 403,
    error: 'Too many people wait for a decision here. Please try again later.',
  },
  RegistrationWaits: {
    status: 403,
    error: 'Your sign-up still waits for an admin. You can sign in once it is approved.',
  },
  RegistrationRefused: {
    status: 403,
    error: 'An admin has refused your sign-up. What you had sent is deleted.',
  },
  RegistrationRequestNotFound: { status: 404, error: 'This sign-up no longer waits for a decision.' },
  RegistrationLinkNotFound: { status: 404, error: 'This link has already ended.' },
  TooManyRegistrationLinks: {
    status: 400,
    error: `There are already ${linksMax} links. Please end one of them first.`,
  },
  GuestsOff: {
    status: 403,
    error: 'Guests cannot enter here. Please sign in, or read the feed as a visitor.',
  },
  /** An admin has refused the domain or the address. The same answer whether or not an account has this address. */
  EmailRefused: {
    status: 400,
    error: 'Nobody can sign up here by this email address. Please use another one.',
  },
  NetworkRefused: { status: 403, error: 'Nobody can sign up from your network. Please ask an admin.' },
  EmailTaken: { status: 400, error: 'This email address is already in use.' },
  UsernameTaken: { status: 400, error: 'This username is already in use.' },
  NameReserved: { status: 400, error: 'This name is reserved. Please choose another one.' },
  PasswordTooShort: { status: 400, error: passwordMessage },
  PasswordTooCommon: { status: 400, error: 'This password is too common. Please choose another one.' },
  SignInAgainToChangePassword: { status: 403, error: 'Please sign in again to change your password' },
  SignInAgainToDeleteAccount: { status: 403, error: 'Please sign in again to delete your account' },
  SignInAgainToEndSessions: { status: 403, error: 'Please sign in again to end other sessions' },
  SignInAgainForToken: { status: 403, error: 'Please sign in again to make a token' },
  TooManyApiTokens: { status: 400, error: 'You have 20 tokens, which is the most. End one first.' },
  ApiTokenNotFound: { status: 404, error: 'This token has already ended.' },
  CurrentSession: { status: 403, error: 'This is the device you are using. Log out to end its session.' },
  SessionNotFound: { status: 404, error: 'This session has already ended.' },
  AdminStays: { status: 403, error: 'An admin account can only be deleted on the server.' },
  AgreementRequired: {
    status: 400,
    error: 'This place has new terms or rules. Please reload the page, read them and sign up again.',
  },
  IntroductionConflict: {
    status: 400,
    error: 'Your introduction was changed elsewhere in the meantime. Nothing was overwritten.',
  },
  Suspended: { status: 403, error: 'This account is suspended.' },
  AdminCannotBeSuspended: {
    status: 403,
    error: 'An admin cannot be suspended. Take away the rights on the server first.',
  },
  ModeratorCannotBeSuspended: { status: 403, error: 'Only an admin can suspend a moderator.' },
  AdminIsNoModerator: { status: 403, error: 'An admin can do everything that a moderator can.' },
  DemoAccountStays: { status: 403, error: 'The demo account cannot be changed or deleted.' },
} as const
