import { errors } from '#contract/errors.ts'
import { addAuditEntry } from '#server/platform/audit.ts'
import { OperatorError } from '#server/platform/operator-error.ts'
import { accountOf, type Sources } from './accounts.ts'
import { changeModerator } from './moderators.ts'
import { findAccount, lockPerson } from './queries.ts'

export async function grantModerator(sources: Sources, email: string): Promise<string> {
  if (!(await change(sources, email, true))) return `${email} is a moderator already.`
  return `${email} is a moderator now. All sessions have ended. If the next sign-in refuses the passcode as too weak, set another one with "password".`
}

export async function revokeModerator(sources: Sources, email: string): Promise<string> {
  await change(sources, email, false)
  return `${email} is no moderator any more.`
}

async function change(sources: Sources, email: string, isModerator: boolean): Promise<boolean> {
  const { id } = await accountOf(sources, email)
  return sources.database.transaction(async (tx) => {
    await lockPerson(tx, id)
    const account = await findAccount(tx, id)
    if (account === undefined) throw new OperatorError('The account was deleted meanwhile.')
    if (account.isAdmin && isModerator) throw new OperatorError(errors.AdminIsNoModerator.error)
    if (account.isDemo) throw new OperatorError(errors.DemoAccountStays.error)
    const isChanged = await changeModerator(tx, account, isModerator)
    const action = isModerator ? 'moderator-granted' : 'moderator-revoked'
    if (isChanged) await addAuditEntry(tx, sources, { action, subjectId: id })
    return isChanged
  })
}
