import {
  changePassword,
  checkEmail,
  deleteAccount,
  getMe,
  login,
  loginAsGuest,
  logout,
  register,
  registerByOnboarding,
} from '#contract/account/endpoints.ts'
import { addModerator, listModeratedPeople, removeModerator } from '#contract/account/moderators/endpoints.ts'
import {
  approveRegistration,
  checkRegistrationLink,
  createRegistrationLink,
  endRegistrationLink,
  listRegistrationLinks,
  listRegistrationRequests,
  refuseRegistration,
} from '#contract/account/registration/endpoints.ts'
import { endOtherSessions, endSession, listSessions } from '#contract/account/sessions/endpoints.ts'
import { changeSettings, getSettings, getWritingSample } from '#contract/account/settings/endpoints.ts'
import { getSuspension, liftSuspension, suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { createApiToken, endApiToken, listApiTokens } from '#contract/account/tokens/endpoints.ts'
import {
  type CallRow,
  admins,
  everyone,
  everyoneAdds,
  moderators,
  people,
  peopleAdd,
  row,
  someTime,
  userAlone,
} from './row.ts'

export const accountCalls: readonly CallRow[] = [
  row(getMe, { ...everyone, visitor: 401 }),
  row(login, everyone, ({ known: { email, password } }) => ({ input: { email, password } })),
  row(register, everyoneAdds, ({ next }) => {
    const n = next()
    const names = { firstName: 'Nia', lastName: 'New', username: `nia${n}` }
    const more = { agrees: true, registrationToken: 'no token' }
    return { input: { email: `nia${n}@example.org`, password: 'a first password', ...names, ...more } }
  }),
  row(registerByOnboarding, everyoneAdds, ({ next }) => ({
    input: {
      name: 'Nia New',
      email: `nia${next()}@example.org`,
      passcode: 'firstpasscode',
      writingSample: 'I write at night.',
      agrees: true,
      registrationToken: 'no token',
    },
  })),
  row(checkEmail, everyone, () => ({ input: { email: 'free@example.org', registrationToken: 'no token' } })),
  row(loginAsGuest, everyone),
  row(logout, everyone),
  row(changePassword, people, () => ({
    input: { newPassword: 'a second password', currentPassword: 'a first password' },
  })),
  row(deleteAccount, { ...everyone, visitor: 401, admin: 403 }),
  row(listRegistrationRequests, admins),
  row(approveRegistration, { ...admins, admin: 201 }, ({ registrationRequest }) => ({
    params: { id: registrationRequest },
  })),
  row(refuseRegistration, admins, ({ registrationRequest }) => ({ params: { id: registrationRequest } })),
  row(createRegistrationLink, { ...admins, admin: 201 }, () => ({
    input: { label: 'Class of June', maxUses: 30, days: 7 },
  })),
  row(listRegistrationLinks, admins),
  row(endRegistrationLink, admins, ({ registrationLink }) => ({ params: { id: registrationLink.id } })),
  row(checkRegistrationLink, everyone, ({ registrationLink }) => ({
    input: { token: registrationLink.token },
  })),
  row(getSuspension, moderators, ({ suspended }) => ({ params: { id: suspended } })),
  row(suspendPerson, moderators, ({ follower }) => ({
    params: { id: follower },
    input: { reason: 'Unkind.', until: someTime, hidesTexts: true },
  })),
  row(liftSuspension, moderators, ({ suspended }) => ({ params: { id: suspended } })),
  row(listModeratedPeople, moderators, () => ({ query: { limit: '50', q: 'known', isSuspended: 'true' } })),
  row(addModerator, admins, ({ follower }) => ({ params: { id: follower } })),
  row(removeModerator, admins, ({ follower }) => ({ params: { id: follower } })),
  row(getSettings, people),
  row(getWritingSample, people),
  row(changeSettings, people, () => ({
    input: { showName: true, presence: false, hasPage: true, introduction: 'I write at night.', base: '' },
  })),
  row(listSessions, people),
  row(endSession, userAlone, ({ otherSession }) => ({ params: { id: otherSession } })),
  row(endOtherSessions, people),
  row(listApiTokens, people),
  row(createApiToken, peopleAdd, () => ({ input: { name: 'My script', scopes: ['diary'], days: 30 } })),
  row(endApiToken, userAlone, ({ apiToken }) => ({ params: { id: apiToken } })),
]
