import { accents } from '#contract/instance/accents.ts'
import type { Needs } from '#server/feature.ts'
import { findPublicPost } from '#server/features/feed/index.ts'
import { findPersonPage } from '#server/features/people/index.ts'
import { findFinishedStory } from '#server/features/rooms/index.ts'
import type { Database } from '#server/platform/database/pool.ts'
import type { LimitRule } from '#server/platform/http/bounds/limits.ts'
import { clientAddress } from '#server/platform/http/request/origin.ts'
import { isId, isPersonId } from '#server/platform/http/answers/paging.ts'
import { sameForAll } from '#server/platform/http/endpoints/policy.ts'
import { namesTag } from '#server/platform/http/answers/prepared.ts'
import { Refused } from '#server/platform/http/refusal.ts'
import type { Server } from '#server/platform/http/server.ts'
import { createCachedPictures } from './cached-pictures.ts'
import { type Preview, previewOfPerson, previewOfPost, previewOfStory } from './preview.ts'

const previewReads: LimitRule = { name: 'previews', count: 120, seconds: 60, by: 'address' }

const headers = {
  'content-type': 'image/png',
  // A post may be hidden: after five minutes no shared cache has its picture.
  'cache-control': 'public, max-age=300',
  // Other sites show these pictures.
  'cross-origin-resource-policy': 'cross-origin',
}

/** Each kind of public text; undefined for a text that not everybody may read. */
const finders: Record<string, (database: Database, id: string) => Promise<Preview | undefined>> = {
  async posts(database, id) {
    const post = isId(id) ? await findPublicPost(database, id) : undefined
    return post && previewOfPost(post)
  },
  async stories(database, id) {
    const story = isId(id) ? await findFinishedStory(database, id) : undefined
    return story && previewOfStory(story)
  },
  async people(database, id) {
    const person = isPersonId(id) ? await findPersonPage(database, null, id) : undefined
    return person && previewOfPerson(person)
  },
}

type Deps = Pick<Needs, 'database' | 'answers' | 'instance'>

/** Serves a picture of each public text, for the previews of links. */
export function addPreviews({ app }: Server, { database, answers, instance }: Deps) {
  const pictures = createCachedPictures(answers)
  for (const [kind, find] of Object.entries(finders))
    app.get(
      `/preview/${kind}/:id.png`,
      { config: { policy: sameForAll, reads: previewReads } },
      async (request, reply) => {
        const { id } = request.params as { id: string }
        const preview = await find(database, id)
        if (preview === undefined) throw new Refused('NotFound')
        const { lamp } = accents[instance.settings().accent].day
        const picture = await pictures.get(`${kind} ${id}`, { ...preview, lamp }, clientAddress(request.ip))
        reply.headers({ ...headers, etag: picture.etag })
        return namesTag(request.headers['if-none-match'], picture.etag)
          ? reply.status(304).send()
          : reply.send(await picture.in('plain'))
      },
    )
}
