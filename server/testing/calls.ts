import { type InjectOptions, type LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { closeAbuseReport, listAbuseReports, reportAbuse } from '#contract/abuse-reports/endpoints.ts'
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
import { endOtherSessions, endSession, listSessions } from '#contract/account/sessions/endpoints.ts'
import { changeSettings, getSettings, getWritingSample } from '#contract/account/settings/endpoints.ts'
import { createApiToken, endApiToken, listApiTokens } from '#contract/account/tokens/endpoints.ts'
import {
  approveRegistration,
  checkRegistrationLink,
  createRegistrationLink,
  endRegistrationLink,
  listRegistrationLinks,
  listRegistrationRequests,
  refuseRegistration,
} from '#contract/account/registration/endpoints.ts'
import { addModerator, listModeratedPeople, removeModerator } from '#contract/account/moderators/endpoints.ts'
import { getSuspension, liftSuspension, suspendPerson } from '#contract/account/suspensions/endpoints.ts'
import { addAllowance, endAllowance, listAllowances } from '#contract/allowances/endpoints.ts'
import { addBookmark, listBookmarkIds, listBookmarks, removeBookmark } from '#contract/bookmarks/endpoints.ts'
import { getConfig } from '#contract/app/endpoints.ts'
import { getCalendar, saveCalendarNote } from '#contract/calendar/endpoints.ts'
import { addDays } from '#contract/days.ts'
import { getDiary, getDiaryEntry, saveDiaryEntry } from '#contract/diary/endpoints.ts'
import { createDocument, deleteDocument, getDocument, listDocuments } from '#contract/documents/endpoints.ts'
import { createDraft, deleteDraft, getDraft, listDrafts, saveDraft } from '#contract/drafts/endpoints.ts'
import { type Endpoint, pathOf } from '#contract/endpoint.ts'
import {
  approvePost,
  approvePosts,
  createPost,
  listPendingPosts,
  submitPost,
} from '#contract/feed/endpoints.ts'
import { erasePassage, erasePost } from '#contract/erasing/endpoints.ts'
import { getPostNeighbours, listMoreByAuthor } from '#contract/feed/links/endpoints.ts'
import { getFeedDay, getPost, getLastFeedDay } from '#contract/feed/reading/endpoints.ts'
import {
  changePost,
  deleteTakenBackPost,
  getOwnPost,
  getPostVersion,
  listOwnPostIds,
  listOwnTexts,
  listPostVersions,
  listTakenBackPosts,
  restorePost,
  takeBackPost,
} from '#contract/feed/own/endpoints.ts'
import {
  changePublishTime,
  listScheduledPosts,
  publishScheduledPost,
  unschedulePost,
} from '#contract/feed/scheduled/endpoints.ts'
import {
  changePostsVisibility,
  changePostVisibility,
  generateContent,
  listAdminPosts,
  listOwnPosts,
  listTodaysPosts,
} from '#contract/feed/review/endpoints.ts'
import {
  followPerson,
  listFollowedIds,
  listFollowedPosts,
  listFollows,
  unfollowPerson,
} from '#contract/follows/endpoints.ts'
import {
  addFriend,
  blockPerson,
  listBlockedPeople,
  listFriends,
  removeFriend,
  searchPeople,
  unblockPerson,
} from '#contract/friends/endpoints.ts'
import { listNotifications, markNotificationsSeen } from '#contract/inbox/endpoints.ts'
import {
  acceptInvitation,
  confirmAcceptance,
  createInvitation,
  declineAcceptance,
  getInvitation,
  listAcceptances,
  listInvitations,
  withdrawInvitation,
} from '#contract/invitations/endpoints.ts'
import {
  confirmEmail,
  getOwnEmail,
  listBouncedAddresses,
  listUnsentMails,
  requestConfirmation,
  retryMail,
} from '#contract/mails/endpoints.ts'
import {
  countUnread,
  deleteMessage,
  listMessages,
  markRead,
  sendMessage,
} from '#contract/messages/endpoints.ts'
import { uploadCover } from '#contract/covers/endpoints.ts'
import {
  changeInstanceSettings,
  getInstance,
  getInstancePage,
  getInstanceSettings,
} from '#contract/instance/endpoints.ts'
import { getCurrentIssue, uploadIssue } from '#contract/magazine/endpoints.ts'
import { deleteOpenidLink, getOpenidLink } from '#contract/openid/endpoints.ts'
import {
  createPasswordReset,
  requestPasswordReset,
  resetPassword,
} from '#contract/password-resets/endpoints.ts'
import {
  changeChoicesOfLink,
  changeAwayNotificationChoices,
  findAwayNotificationLink,
  getAwayNotificationChoices,
} from '#contract/away-notifications/endpoints.ts'
import { getPerson, listPersonPosts, listPersonStories } from '#contract/people/endpoints.ts'
import { deletePushDevice, getPushDevice, savePushDevice } from '#contract/push/endpoints.ts'
import { search } from '#contract/search/endpoints.ts'
import {
  countAdminUsers,
  deleteUser,
  countWaiting,
  getStats,
  listAdminComments,
  listAdminUsers,
  listAuditEntries,
} from '#contract/admin/endpoints.ts'
import {
  createRoom,
  deleteFeedRoom,
  deleteRoom,
  getRoom,
  getRoomMembership,
  getRoomStory,
  joinRoom,
  listFeedRooms,
  listFinishedRooms,
  listOpenRooms,
  listOwnStories,
  listRoomMembers,
  listPassages,
  listRooms,
  sendPassage,
  announceWriting,
  changeRoomMembership,
} from '#contract/rooms/endpoints.ts'
import { getTurn, passTurn, returnToTable, signTurn, takeSeat } from '#contract/rooms/table/endpoints.ts'
import {
  createWebhook,
  deleteWebhook,
  listWebhookAttempts,
  listWebhooks,
  retryDelivery,
} from '#contract/webhooks/endpoints.ts'
import { aRoom } from './rooms.ts'
import { aPdf, aPng, formOf } from './uploads.ts'
import { type Client, requireDeclared } from './test-app.ts'
import { callerKinds, type CallerKind, type World } from './world.ts'

/** What the user owns, and the ids that a row needs to make a call. */
export type CallData = Pick<
  World,
  | 'known'
  | 'published'
  | 'publishedAt'
  | 'waiting'
  | 'changed'
  | 'takenBack'
  | 'scheduled'
  | 'room'
  | 'passage'
  | 'privateRoom'
  | 'table'
  | 'story'
  | 'privateStory'
  | 'blockedId'
  | 'message'
  | 'invitation'
  | 'follower'
  | 'suspended'
  | 'report'
  | 'allowance'
  | 'draft'
  | 'document'
  | 'otherSession'
  | 'apiToken'
  | 'resetTokens'
  | 'confirmationTokens'
  | 'awayNotificationToken'
  | 'unsentMail'
  | 'webhook'
  | 'registrationRequest'
  | 'registrationLink'
  | 'next'
>

interface Made {
  params?: Record<string, string>
  query?: Record<string, string>
  input?: Record<string, unknown>
  file?: File
}

export interface CallRow {
  name: string
  endpoint: Endpoint
  /** The status of the answer to each caller. */
  answers: Readonly<Record<CallerKind, number>>
  /** A valid call with every field that the endpoint takes. */
  make: (data: CallData) => Made
}

const nobody = '0000000000'
const someDraft = {
  content: 'A line that is not ready',
  authorName: 'Nia',
  postType: 'premium',
  form: 'verse',
  category: 'Poetry',
  tags: ['night'],
}
const draftIdOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`
const statuses = (visitor: number, guest: number, people: number, admin = people, moderator = people) => ({
  visitor,
  guest,
  user: people,
  other: people,
  blocked: people,
  member: people,
  moderator,
  admin,
})
const everyone = statuses(200, 200, 200)
const everyoneAdds = statuses(201, 201, 201)
const admins = statuses(401, 403, 403, 200)
const moderators = statuses(401, 403, 403, 200, 200)
const writers = statuses(401, 401, 200)
const people = statuses(401, 403, 200)
const peopleAdd = statuses(401, 403, 201)
/** For what concerns the user alone. Others are answered as if it did not exist. */
const userAlone = { ...statuses(401, 403, 404), user: 200 }
const userAloneAdds = { ...userAlone, user: 201 }
/** For what friends of the user may do. */
const friends = { ...statuses(401, 403, 404), member: 200 }
/** For the texts of a private room, which is itself listed. */
const members = { ...statuses(401, 403, 403), user: 200, member: 200 }

/** For the turn of the user. */
const holder = { ...statuses(401, 403, 403), user: 200 }

const someAwayNotificationChoices = {
  byMail: true,
  invitations: true,
  messages: false,
  decisions: true,
  weekly: true,
  quietHours: { from: 22, to: 7 },
  digestHour: 8,
  timeZone: 'Asia/Tokyo',
}

/** When a scheduled post appears. */
const someTime = '2025-12-24T18:00:00.000Z'
/** What the author of a post may choose. */
const choices = { category: 'Poetry', tags: ['night', 'Fog'], form: 'verse' }

/** The table of permissions: one row for each call of the API, for the tests of all calls. */
export const calls: readonly CallRow[] = [
  row(getConfig, everyone),
  row(getInstance, everyone),
  row(getInstancePage, everyone, () => ({ params: { page: 'terms' } })),
  row(getInstanceSettings, admins),
  row(changeInstanceSettings, admins, () => ({
    input: {
      base: null,
      name: 'The Mill',
      description: 'Writers by the river.',
      welcome: 'Come in.',
      supportEmail: 'mill@example.org',
      imprint: 'The Mill, 1 River Lane',
      accent: 'moss',
      icon: 'book',
      terms: 'Be kind.',
      privacy: 'Your diary is yours.',
      rules: 'Write.',
      competition: true,
      premium: true,
      tips: true,
      samples: true,
      registration: 'open',
      registrationQuestion: 'Why here?',
      guests: true,
      submissions: true,
      publicRooms: true,
      announcement: { text: 'We meet on Friday.', link: '/rules', endsAt: someTime },
      watchedWords: 'buy now',
      refusedEmails: 'spam.example',
      refusedNetworks: '203.0.113.0/24',
      modelTraining: false,
    },
  })),
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
  row(getFeedDay, everyone, () => ({ params: { offset: '0' }, query: { limit: '50' } })),
  row(getPost, everyone, ({ published }) => ({ params: { id: published } })),
  row(getLastFeedDay, everyone, () => ({ params: { day: '2025-06-10' } })),
  row(getPostNeighbours, everyone, ({ published }) => ({ params: { id: published } })),
  row(listMoreByAuthor, everyone, ({ published }) => ({ params: { id: published } })),
  row(submitPost, everyoneAdds, ({ next }) => ({
    input: {
      content: `Line ${next()}`,
      authorName: 'Nia',
      type: 'premium',
      draftId: draftIdOf(next()),
      draftBase: '2025-06-10T12:00:00.000Z',
      publishAt: null,
      ...choices,
    },
  })),
  row(
    submitPost,
    statuses(400, 400, 201),
    ({ next }) => ({
      input: {
        content: `Line ${next()}`,
        authorName: 'Nia',
        type: 'premium',
        draftId: draftIdOf(next()),
        draftBase: '2025-06-10T12:00:00.000Z',
        publishAt: someTime,
        ...choices,
      },
    }),
    'at a time',
  ),
  row(createPost, { ...admins, admin: 201 }, () => ({
    input: {
      content: 'News',
      authorName: 'The house',
      authorId: nobody,
      postType: 'admin',
      isVisible: true,
      imageUrl: '/assets/house.webp',
      publishAt: null,
      ...choices,
    },
  })),
  row(listPendingPosts, moderators, () => ({ query: { limit: '50', order: 'oldest', due: 'soon' } })),
  row(approvePost, moderators, ({ waiting }) => ({
    params: { id: waiting },
    input: { reason: 'A good one.' },
  })),
  row(approvePosts, moderators, ({ waiting }) => ({ input: { postIds: [waiting], reason: 'A good one.' } })),
  row(listAdminPosts, moderators, () => ({
    query: { limit: '50', status: 'published', isVisible: 'true', q: 'stands' },
  })),
  row(listTodaysPosts, moderators, () => ({ query: { limit: '50' } })),
  row(changePostVisibility, moderators, ({ waiting }) => ({
    params: { id: waiting },
    input: { isVisible: false, reason: 'Names a neighbour.', isWaiting: true },
  })),
  row(changePostsVisibility, moderators, ({ published }) => ({
    input: { postIds: [published], isVisible: false, reason: 'Names a neighbour.', isWaiting: false },
  })),
  row(erasePost, admins, ({ published }) => ({
    params: { id: published },
    input: { reason: 'Names a neighbour.' },
  })),
  row(generateContent, { ...admins, admin: 201 }, () => ({ input: { count: 2, category: 'Poetry' } })),
  row(listOwnPosts, { ...everyone, visitor: 401 }, () => ({ query: { limit: '50' } })),
  row(listOwnPostIds, people),
  row(getOwnPost, userAlone, ({ published }) => ({ params: { id: published } })),
  row(changePost, userAloneAdds, ({ published, publishedAt, next }) => ({
    params: { id: published },
    input: { content: `Line ${next()}`, base: publishedAt, ...choices },
  })),
  row(listPostVersions, userAlone, ({ changed }) => ({ params: { id: changed.id } })),
  row(getPostVersion, userAlone, ({ changed }) => ({
    params: { id: changed.id, versionId: changed.versionId },
  })),
  row(takeBackPost, userAlone, ({ published }) => ({
    params: { id: published },
    query: { kind: 'unpublished' },
  })),
  row(restorePost, userAloneAdds, ({ takenBack }) => ({ params: { id: takenBack } })),
  row(listTakenBackPosts, people, () => ({ query: { limit: '50' } })),
  row(listOwnTexts, people, () => ({ query: { limit: '50' } })),
  row(deleteTakenBackPost, userAlone, ({ takenBack }) => ({ params: { id: takenBack } })),
  row(listScheduledPosts, people, () => ({ query: { limit: '50' } })),
  row(changePublishTime, userAlone, ({ scheduled }) => ({
    params: { id: scheduled },
    input: { publishAt: someTime },
  })),
  row(publishScheduledPost, userAloneAdds, ({ scheduled }) => ({ params: { id: scheduled } })),
  row(unschedulePost, userAloneAdds, ({ scheduled }) => ({ params: { id: scheduled } })),
  row(getStats, admins),
  row(countWaiting, moderators),
  row(listAdminUsers, admins, () => ({ query: { limit: '50', q: 'known', isSuspended: 'true' } })),
  row(countAdminUsers, admins, () => ({ query: { q: 'known', isSuspended: 'true' } })),
  row(deleteUser, admins, ({ follower }) => ({ params: { id: follower } })),
  row(createPasswordReset, { ...admins, admin: 201 }, ({ follower }) => ({ params: { id: follower } })),
  row(resetPassword, everyone, ({ resetTokens, next }) => ({
    input: { token: resetTokens[next() % resetTokens.length]!, newPassword: 'a second password' },
  })),
  row(requestPasswordReset, everyone, () => ({ input: { email: 'somebody@example.org' } })),
  row(getOwnEmail, people),
  row(requestConfirmation, people),
  row(confirmEmail, everyone, ({ confirmationTokens, next }) => ({
    input: { token: confirmationTokens[next() % confirmationTokens.length]! },
  })),
  row(getAwayNotificationChoices, people),
  row(changeAwayNotificationChoices, people, () => ({ input: someAwayNotificationChoices })),
  row(findAwayNotificationLink, everyone, ({ awayNotificationToken: token }) => ({ input: { token } })),
  row(changeChoicesOfLink, everyone, ({ awayNotificationToken: token }) => ({
    input: { token, changes: someAwayNotificationChoices },
  })),
  row(listUnsentMails, admins, () => ({ query: { limit: '50' } })),
  row(listBouncedAddresses, admins, () => ({ query: { limit: '50' } })),
  row(retryMail, admins, ({ unsentMail }) => ({ params: { id: unsentMail } })),
  row(getPushDevice, people),
  row(savePushDevice, people, ({ next }) => ({
    input: {
      endpoint: `https://push.example/${next()}`,
      // Of the example in RFC 8291.
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  })),
  row(deletePushDevice, people),
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
  row(listAllowances, admins),
  row(addAllowance, { ...admins, admin: 201 }, () => ({
    input: { network: '192.0.2.0/24', factor: 5, until: '2025-06-24T18:00:00.000Z' },
  })),
  row(endAllowance, admins, ({ allowance }) => ({ params: { id: allowance } })),
  row(listAuditEntries, admins, ({ known }) => ({
    query: { limit: '50', action: 'sign-in', about: known.id, from: '2025-06-01', to: '2025-06-30' },
  })),
  row(listAdminComments, admins, () => ({})),
  row(listWebhooks, admins),
  row(createWebhook, { ...admins, admin: 201 }, () => ({
    input: { url: 'https://reader.example/hook', events: ['post.published'] },
  })),
  row(deleteWebhook, admins, ({ webhook }) => ({ params: { id: webhook.id } })),
  row(listWebhookAttempts, admins, ({ webhook }) => ({ params: { id: webhook.id } })),
  row(retryDelivery, admins, ({ webhook }) => ({
    params: { id: webhook.id },
    input: { deliveryId: webhook.deliveryId },
  })),
  row(getSettings, people),
  row(getWritingSample, people),
  row(changeSettings, people, () => ({
    input: { showName: true, presence: false, hasPage: true, introduction: 'I write at night.', base: '' },
  })),
  row(getOpenidLink, people),
  row(deleteOpenidLink, people),
  row(listSessions, people),
  row(endSession, userAlone, ({ otherSession }) => ({ params: { id: otherSession } })),
  row(endOtherSessions, people),
  row(listApiTokens, people),
  row(createApiToken, peopleAdd, () => ({ input: { name: 'My script', scopes: ['diary'], days: 30 } })),
  row(endApiToken, userAlone, ({ apiToken }) => ({ params: { id: apiToken } })),
  row(listRooms, everyone, () => ({ query: { limit: '50' } })),
  row(listFeedRooms, everyone, () => ({ query: { limit: '50' } })),
  row(listOpenRooms, everyone, () => ({ query: { limit: '50' } })),
  row(listFinishedRooms, everyone, () => ({ query: { limit: '50', q: 'night' } })),
  row(listOwnStories, people, () => ({ query: { limit: '50' } })),
  row(getRoom, everyone, ({ room }) => ({ params: { id: room } })),
  row(getRoomMembership, everyone, ({ room }) => ({ params: { id: room } })),
  row(changeRoomMembership, members, ({ room }) => ({
    params: { id: room },
    input: { signsWithName: true },
  })),
  row(listPassages, everyone, ({ room }) => ({ params: { id: room }, query: { limit: '50' } })),
  row(listPassages, members, ({ privateRoom }) => ({ params: { id: privateRoom } }), 'of a private room'),
  row(getRoomStory, everyone, ({ story }) => ({ params: { id: story, format: 'epub' } })),
  row(
    getRoomStory,
    members,
    ({ privateStory }) => ({ params: { id: privateStory, format: 'txt' } }),
    'of a private room',
  ),
  row(createRoom, peopleAdd, ({ known }) => ({
    input: aRoom({
      invitedFriends: [known.id],
      turns: 'baton',
      isFolded: true,
      turnSeconds: 60,
      passageMax: 180,
    }),
  })),
  row(
    createRoom,
    { ...statuses(401, 403, 400), member: 201 },
    ({ known }) => ({ input: aRoom({ isPublic: false, invitedFriends: [known.id] }) }),
    'with a friend',
  ),
  row(joinRoom, people, ({ room }) => ({ params: { id: room }, input: { signsWithName: true } })),
  row(
    joinRoom,
    members,
    ({ privateRoom }) => ({ params: { id: privateRoom }, input: { signsWithName: true } }),
    'of a private room',
  ),
  row(sendPassage, { ...statuses(401, 403, 403), user: 201, member: 201 }, ({ room, next }) => ({
    params: { id: room },
    input: { content: `Line ${next()}`, turn: 1, next: nobody },
  })),
  row(getTurn, everyone, ({ table }) => ({ params: { id: table.id } })),
  row(takeSeat, members, ({ table }) => ({ params: { id: table.id } })),
  row(returnToTable, members, ({ table }) => ({ params: { id: table.id } })),
  row(signTurn, holder, ({ table }) => ({ params: { id: table.id }, input: { number: 1 } })),
  row(passTurn, holder, ({ table }) => ({
    params: { id: table.id },
    input: { number: 1, next: table.memberId },
  })),
  row(
    sendPassage,
    { ...statuses(401, 403, 403), user: 201 },
    ({ table, next }) => ({ params: { id: table.id }, input: { content: `Line ${next()}`, turn: 1 } }),
    'of a turn',
  ),
  row(announceWriting, { ...statuses(401, 403, 403), user: 204, member: 204 }, ({ room }) => ({
    params: { id: room },
  })),
  row(listRoomMembers, admins, ({ room }) => ({ params: { id: room } })),
  row(deleteRoom, admins, ({ room }) => ({ params: { id: room } })),
  row(deleteFeedRoom, admins, ({ room }) => ({ params: { id: room } })),
  row(erasePassage, admins, ({ room, passage }) => ({
    params: { id: room, passageId: passage },
    input: { reason: 'Names a neighbour.' },
  })),
  row(getDiary, writers, () => ({ query: { limit: '50' } })),
  row(getDiaryEntry, writers, () => ({ params: { day: '2025-06-10' } })),
  row(saveDiaryEntry, writers, ({ next }) => ({
    input: { date: addDays('2025-06-10', next()), content: 'A quiet day', base: null, writtenAt: someTime },
  })),
  row(getCalendar, writers, () => ({ query: { limit: '50' } })),
  row(saveCalendarNote, writers, ({ next }) => ({
    input: { date: addDays('2025-06-10', next()), note: 'Post the letter', base: null, writtenAt: someTime },
  })),
  row(listDrafts, people, () => ({ query: { limit: '50' } })),
  row(createDraft, peopleAdd, ({ next, published }) => ({
    input: {
      ...someDraft,
      id: draftIdOf(next()),
      postId: published,
      createdAt: someTime,
      updatedAt: someTime,
    },
  })),
  row(getDraft, userAlone, ({ draft }) => ({ params: { id: draft.id } })),
  row(saveDraft, userAlone, ({ draft }) => ({
    params: { id: draft.id },
    input: { ...someDraft, base: draft.updatedAt },
  })),
  row(deleteDraft, userAlone, ({ draft }) => ({ params: { id: draft.id } })),
  row(listDocuments, people, () => ({ query: { limit: '50' } })),
  row(createDocument, peopleAdd, ({ next }) => ({
    input: {
      id: draftIdOf(next()),
      source: 'Day One',
      title: 'The well',
      content: 'A story of the well',
      createdAt: '2019-06-10T12:00:00.000Z',
    },
  })),
  row(getDocument, userAlone, ({ document }) => ({ params: { id: document } })),
  row(deleteDocument, userAlone, ({ document }) => ({ params: { id: document } })),
  row(listBookmarks, people, () => ({ query: { limit: '50' } })),
  row(listBookmarkIds, people),
  row(addBookmark, people, ({ published }) => ({ params: { postId: published } })),
  row(removeBookmark, people, ({ changed }) => ({ params: { postId: changed.id } })),
  row(listFriends, people, () => ({ query: { limit: '50' } })),
  row(addFriend, { ...people, user: 400, blocked: 400 }, ({ known }) => ({
    input: { friendUserId: known.id },
  })),
  row(removeFriend, friends, ({ known }) => ({ params: { userId: known.id } })),
  row(searchPeople, people, () => ({ query: { q: 'known' } })),
  row(blockPerson, { ...peopleAdd, user: 400 }, ({ known }) => ({ input: { userId: known.id } })),
  row(unblockPerson, userAlone, ({ blockedId }) => ({ params: { userId: blockedId } })),
  row(listBlockedPeople, people, () => ({ query: { limit: '50' } })),
  row(createInvitation, peopleAdd, ({ room }) => ({ input: { roomId: room } })),
  row(listInvitations, people),
  row(withdrawInvitation, userAlone, ({ invitation }) => ({ params: { id: invitation.id } })),
  row(getInvitation, { ...everyone, blocked: 404 }, ({ invitation }) => ({
    input: { token: invitation.token },
  })),
  row(acceptInvitation, { ...people, user: 400, blocked: 404 }, ({ invitation }) => ({
    input: { token: invitation.token },
  })),
  row(listAcceptances, people),
  row(confirmAcceptance, userAlone, ({ follower }) => ({ input: { userId: follower } })),
  row(declineAcceptance, userAlone, ({ follower }) => ({ params: { userId: follower } })),
  row(listNotifications, people, () => ({ query: { limit: '50' } })),
  row(markNotificationsSeen, people, () => ({ input: { ids: ['1'] } })),
  row(listMessages, friends, ({ known }) => ({ params: { friendId: known.id }, query: { limit: '50' } })),
  row(sendMessage, { ...friends, member: 201 }, ({ known }) => ({
    input: { messageType: 'diary', receiverId: known.id, content: 'A quiet day', diaryDate: '2025-06-09' },
  })),
  row(deleteMessage, { ...userAlone, member: 403 }, ({ message }) => ({ params: { id: message } })),
  row(markRead, friends, ({ known, message }) => ({
    input: { friendUserId: known.id, messageId: message },
  })),
  row(countUnread, people),
  row(reportAbuse, { ...peopleAdd, user: 400 }, ({ known }) => ({
    input: { kind: 'person', targetId: known.id, category: 'spam', reason: 'Sends the same to everybody.' },
  })),
  row(listAbuseReports, moderators, () => ({ query: { limit: '50', status: 'open' } })),
  row(closeAbuseReport, moderators, ({ report }) => ({
    params: { id: report },
    input: {
      outcome: 'removed',
      note: 'Told the author.',
      removal: 'hide',
      warning: 'Please be kind.',
      suspension: { reason: 'Unkind.', until: someTime, hidesTexts: true },
    },
  })),
  row(getPerson, { ...everyone, blocked: 404 }, ({ known }) => ({ params: { id: known.id } })),
  row(listPersonPosts, { ...everyone, blocked: 404 }, ({ known }) => ({
    params: { id: known.id },
    query: { limit: '50' },
  })),
  row(listPersonStories, { ...everyone, blocked: 404 }, ({ known }) => ({
    params: { id: known.id },
    query: { limit: '50' },
  })),
  row(followPerson, { ...people, user: 404, blocked: 404 }, ({ known }) => ({
    params: { personId: known.id },
  })),
  row(unfollowPerson, people, ({ follower }) => ({ params: { personId: follower } })),
  row(listFollows, people, () => ({ query: { limit: '50' } })),
  row(listFollowedIds, people),
  row(listFollowedPosts, people, () => ({ query: { limit: '50' } })),
  row(search, everyone, () => ({
    query: {
      q: 'known',
      kind: 'posts',
      author: 'Known',
      tag: 'Night',
      category: 'Poetry',
      form: 'verse',
      length: 'short',
      from: '2025-01-01',
      to: '2025-12-31',
      order: 'time',
      limit: '20',
    },
  })),
  row(uploadIssue, { ...admins, admin: 201 }, () => ({ file: aPdf() })),
  row(getCurrentIssue, everyone),
  row(uploadCover, { ...admins, admin: 201 }, () => ({ file: aPng() })),
]

function row(
  endpoint: Endpoint,
  answers: CallRow['answers'],
  make: CallRow['make'] = () => ({}),
  what?: string,
): CallRow {
  return { name: [endpoint.method, endpoint.path, what].filter(Boolean).join(' '), endpoint, answers, make }
}

/** The caller with the most rights that may make the call. */
export const allowed = ({ callers }: Pick<World, 'callers'>, { answers }: CallRow): Client =>
  callers[callerKinds.findLast((kind) => answers[kind] < 300)!]

export const requestOf = ({ endpoint }: CallRow, made: Made): InjectOptions & { url: string } => ({
  method: endpoint.method,
  url: pathOf(endpoint, made),
  ...(made.input && { payload: made.input }),
  ...(made.file && { payload: formOf(endpoint.file!.field, made.file) }),
})

/** Expects what holds for every answer: no status 500, a declared code and a sentence in a refusal, the security headers. */
export function expectSound({ statusCode, headers, body }: LightMyRequestResponse, endpoint?: Endpoint) {
  if (statusCode >= 500) throw new Error(`A fault: ${body}`)
  if (statusCode >= 400 && body !== '') {
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    const refusal = JSON.parse(body) as { code: string }
    expect(refusal).toMatchObject({
      code: expect.stringMatching(/^[A-Z][A-Za-z]+$/),
      error: expect.stringMatching(/^\S.*\S$/),
    })
    if (endpoint !== undefined) requireDeclared(endpoint, refusal.code)
  }
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cache-control': expect.stringMatching(/^(no-store|public, no-cache|private, no-cache)$/),
  })
  const told = Object.keys(headers).filter((name) => /^(server|x-powered-by|access-control-.*)$/.test(name))
  expect(told).toEqual([])
}
