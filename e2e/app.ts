import { login, register } from '#contract/account/endpoints.ts'
import type { User } from '#contract/account/user.ts'
import { approvePost, submitPost } from '#contract/feed/endpoints.ts'
import type { Post } from '#contract/feed/post.ts'
import { HttpClient } from '../scripts/testing/http-client.ts'
import {
  administrator,
  makeDataFolder,
  removeDataFolder,
  startServer,
} from '../scripts/testing/running-server.ts'
import type { Settings } from '../scripts/testing/running-server.ts'

/** Somebody with an account: what they type to sign in, and their calls without a browser. */
export interface Person {
  email: string
  password: string
  user: User
  client: HttpClient
}

/** A server of its own, with an empty database, reached as people reach it. */
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
  /** Hands in a post, which then waits for review; by a visitor unless `by` says otherwise. */
  submit(post?: { content?: string; authorName?: string; by?: HttpClient }): Promise<string>
  approve(postId: string): Promise<Post>
  /** A post that everybody can read. */
  publish(post?: { content?: string; authorName?: string; by?: HttpClient }): Promise<Post>
  stop(): Promise<void>
}

export async function startApp(settings: Settings): Promise<App> {
  const dataDir = await makeDataFolder()
  const server = await startServer({ dataDir, settings })
  const visitor = () => new HttpClient(() => server.url)
  const stop = async () => {
    await server.end('SIGTERM')
    await removeDataFolder(dataDir)
  }
  const client = visitor()
  const user = await client.does(login, { input: administrator }).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  let count = 0
  const app: App = {
    url: server.url,
    admin: { ...administrator, client, user },
    output: () => server.output(),
    visitor,
    signUp: async (wanted = {}) => {
      count++
      const given = {
        firstName: 'Ana',
        lastName: 'Lima',
        email: `ana${count}@example.org`,
        password: 'secret1',
      }
      const input = { ...given, ...wanted }
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
