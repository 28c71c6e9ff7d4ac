import {
  approvePost,
  approvePosts,
  createPost,
  listPendingPosts,
  submitPost,
} from '#contract/feed/endpoints.ts'
import { getPostNeighbours, listMoreByAuthor } from '#contract/feed/links/endpoints.ts'
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
import { getFeedDay, getLastFeedDay, getPost } from '#contract/feed/reading/endpoints.ts'
import {
  changePostVisibility,
  changePostsVisibility,
  generateContent,
  listAdminPosts,
  listOwnPosts,
  listTodaysPosts,
} from '#contract/feed/review/endpoints.ts'
import {
  changePublishTime,
  listScheduledPosts,
  publishScheduledPost,
  unschedulePost,
} from '#contract/feed/scheduled/endpoints.ts'
import {
  type CallRow,
  admins,
  draftIdOf,
  everyone,
  everyoneAdds,
  moderators,
  people,
  nobody,
  row,
  someTime,
  statuses,
  userAlone,
} from './row.ts'

const userAloneAdds = { ...userAlone, user: 201 }
/** What the author of a post may choose. */
const choices = { category: 'Poetry', tags: ['night', 'Fog'], form: 'verse' }

export const feedCalls: readonly CallRow[] = [
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
]
