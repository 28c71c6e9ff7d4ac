import { login, register } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import { administrator } from '../scripts/testing/running-server.ts'
import type { Settings } from '../scripts/testing/running-server.ts'
import { startServers } from '../scripts/testing/servers.ts'

/** A person with an account: the data of their sign-in, and a client for calls without a browser. */
export interface Person {
  email: string
  password: string
  user: User
  client: HttpClient
}

/** A running server with its own empty database, called over HTTP. */
export interface App {
  url: string
  admin: Person
  output(): string
  visitor(): HttpClient
  signUp(wanted?: {
    firstName?: string
    lastName?: string
    email?: string
    password?: string
  }): Promise<Person>
  /** Submits a post, which then waits for review. The client `by` sends it; a visitor when left out. */
  submit(post?: { content?: string; authorName?: string; by?: HttpClient }): Promise<string>
  approve(postId: string): Promise<Post>
  /** Submits and approves a post, so that everybody can read it. */
  publish(post?: { content?: string; authorName?: string; by?: HttpClient }): Promise<Post>
  stop(): Promise<void>
}

export async function startApp(settings: Settings, processes: 1 | 2): Promise<App> {
  const { url, output, stop } = await startServers(settings, processes)
  const visitor = () => new HttpClient(() => url)
  const client = visitor()
  const user = await client.does(login, { input: administrator }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  let count = 0
  const app: App = {
    url,
    admin: { ...administrator, client, user },
    output,
    visitor,
    signUp: async (wanted = {}) => {
      count++
      const defaults = {
        firstName: 'Ana',
        lastName: 'Lima',
        email: `ana${count}@example.org`,
        password: 'secret1',
      }
      const input = { ...defaults, ...wanted }
      const own = visitor()
      return { ...input, client: own, user: await own.does(register, { input }) }
    },
    submit: async ({ content, authorName = 'Ana Lima', by = visitor() } = {}) => {
      count++
      const input = { content: content ?? `The evening number ${count} was long and quiet.`, authorName }
      return (await by.does(submitPost, { input })).id
    },
    approve: (id) => client.does(approvePost, { params: { id } }),
    publish: async (post) => app.approve(await app.submit(post)),
    stop,
  }
  return app
}
