import type { PersonalData } from '#server/platform/personal-data.ts'
import type { Feeds } from './feeds.ts'

/** Feeds store nothing. After the deletion of an account its name and its page are in none of them. */
export const feedsPersonalData = ({
  dropPosts,
  dropStories,
}: Pick<Feeds, 'dropPosts' | 'dropStories'>): PersonalData => ({
  move: async () => {},
  async remove(_db, _personId, afterCommit) {
    afterCommit(() => {
      dropPosts()
      dropStories()
    })
  },
})
