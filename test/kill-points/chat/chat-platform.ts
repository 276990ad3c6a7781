import { type ChatDouble, chatDouble } from '#test/support/chat/chat-double.js'
import { type BookedMessage, openMessageBook } from '#test/support/chat/message-book.js'
import { jsonField } from '#test/support/json-field.js'

/** The chat platform that a daemon calls, in the process of the harness: no kill of the daemon reaches it. */
export interface KillChat {
  /** Base URL of its API. */
  readonly url: string
  readonly messages: ReadonlyArray<BookedMessage>
  /** How often a message with this nonce was posted. */
  readonly countPosts: (nonce: string) => number
  /** The texts that were sent as answers of an interaction with this token, in order. */
  readonly answersOf: (token: string) => ReadonlyArray<string>
  /** Calls `look` with the text of each message when it is posted, before it is in the channel. */
  readonly onMessage: (look: (text: string) => void) => void
  /** Carries out the next call and loses its answer. */
  readonly loseNext: () => void
  /** Returns how many answers were to be lost since the last call of this function. */
  readonly takeLost: () => number
  readonly close: () => Promise<void>
}

/** The least time for which the platform remembers a nonce. */
const nonceWindowMs = 120_000
/** A daemon that starts knows no bucket, and the limits of the platform are not what is shown here. */
const callsMax = 1_000_000

const fieldOf = (body: string, name: string): unknown => jsonField(JSON.parse(body), name)

const countPostsIn = ({ requests }: ChatDouble, nonce: string): number =>
  requests.filter(({ method, body }) => method === 'POST' && fieldOf(body, 'nonce') === nonce).length

const answersIn = ({ requests }: ChatDouble, token: string): ReadonlyArray<string> =>
  requests
    .filter(({ method, path }) => method === 'PATCH' && path.split('/')[3] === token)
    .map(({ body }) => String(fieldOf(body, 'content')))

export const openChatPlatform = async (): Promise<KillChat> => {
  const book = openMessageBook(nonceWindowMs)
  let look: (text: string) => void = () => undefined
  const double = await chatDouble({
    limit: callsMax,
    messages: book,
    onRequest: ({ method, body }) => {
      if (method === 'POST') look(String(fieldOf(body, 'content')))
    },
  })
  let lost = 0
  return {
    url: double.url,
    messages: book.messages,
    countPosts: nonce => countPostsIn(double, nonce),
    answersOf: token => answersIn(double, token),
    onMessage: next => {
      look = next
    },
    loseNext: () => {
      lost += 1
      double.script(response => void response.destroy())
    },
    takeLost: () => {
      const taken = lost
      lost = 0
      return taken
    },
    close: double.close,
  }
}
