// What accounts keep to, without schemas: a page that checks nothing itself imports no zod.

export const nameLength = { min: 2, max: 50 }
export const emailMaxLength = 100
export const passwordLength = { min: 6, max: 128 }
export const adminPasswordMinLength = 12
export const writingSampleLength = { min: 10, max: 5000 }
/** What the sign-in form asks before it sends; the server refuses the rest like any wrong passcode. */
export const signInPasscodeMinLength = 3

/** Filled into empty sign-in fields: public text; such an account exists only in demo mode. */
export const demoAccount = { email: 'demo@zimmer.example', password: 'demo123' }

export const passcodeMessage = `Passcode must be at least ${passwordLength.min} characters`
export const adminPasswordMessage = `Passcode must be at least ${adminPasswordMinLength} characters`
export const passwordMessage = `Password must be at least ${passwordLength.min} characters`

// The parts of a domain, and of the local part, are what HTML takes for <input type=email>.
const atom = String.raw`[\w!#$%&'*+/=?^\`{|}~-]+`
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const address = new RegExp(String.raw`^(?=.{1,64}@)${atom}(?:\.${atom})*@${label}(?:\.${label})+$`, 'i')

/** Whether a text is one ASCII address, `dot-atom@domain`, with at least two labels in the domain (S9). */
export const isAddress = (text: string) => text.length <= emailMaxLength && address.test(text)
