import { deepEqual, equal, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import type { ChatCall, Heard } from '#protocol/chat/platform.js'
import { secretOf } from '#src/ports/identity.js'
import {
  type ChatDouble,
  chatDouble,
  guildRoleBodies,
  type WildReply,
  wildReply,
} from '#test/support/chat/chat-double.js'
import { dripReply, floodReply, gzipReply } from '#test/support/chat/hostile-replies.js'
import { chatHttp } from './chat-http.js'

const roles: ChatCall = {
  method: 'GET',
  route: '/guilds/{guild_id}/roles',
  major: '100',
  path: '/guilds/100/roles',
  body: null,
  isMessage: false,
}
const message: ChatCall = {
  method: 'POST',
  route: '/channels/{channel_id}/messages',
  major: '11',
  path: '/channels/11/messages',
  body: JSON.stringify({ content: 'Zażółć gęślą jaźń 🐉' }),
  isMessage: true,
}
const token = 'planted-token-of-the-double'
const timeoutMs = 120_000
/** The time limit of an attempt that should time out, in ms. */
const shortMs = 400

const userAgent = 'DiscordBot (https://kronika.example, 0.0.0)'

describe('a call of the chat platform over HTTP', () => {
  let double: ChatDouble
  beforeEach(async () => {
    double = await chatDouble()
  })
  afterEach(() => double.close())

  const make = (
    call: ChatCall = roles,
    { base = double.url, signal = new AbortController().signal, limitMs = timeoutMs } = {},
  ): Promise<Heard> => chatHttp({ base, token: secretOf(token), userAgent })(call, limitMs, signal)
  const silent = (reason: string) => ({ _tag: 'NoAnswer', reason })
  const statusOf = (heard: Heard): number => (heard._tag === 'Answer' ? heard.status : 0)

  it('carries the token and the name of the bot, and hears status, limits and body', async () => {
    const heard = await make()
    ok(heard._tag === 'Answer')
    deepEqual(JSON.parse(heard.text), guildRoleBodies)
    deepEqual(
      Object.keys(heard.headers).sort(),
      ['bucket', 'limit', 'remaining', 'reset-after']
        .map(name => `x-ratelimit-${name}`)
        .concat('content-type')
        .sort(),
    )
    const headers = double.requests[0]?.headers ?? {}
    deepEqual(
      [headers['authorization'], headers['user-agent'], headers['connection'], headers['content-length']],
      [`Bot ${token}`, userAgent, 'keep-alive', undefined],
    )
  })

  it('sends a body as UTF-8 JSON with its length in bytes', async () => {
    equal(statusOf(await make(message)), 200)
    const seen = double.requests.at(0)
    equal(seen?.body, message.body)
    equal(seen.headers['content-length'], String(Buffer.byteLength(message.body ?? '')))
    equal(seen.headers['content-type'], 'application/json')
  })

  const connectionsOf = async (calls: ReadonlyArray<ChatCall>): Promise<number> => {
    const connections = new Set<unknown>()
    for (const call of calls) {
      double.script((response, request) => {
        connections.add(request.socket)
        wildReply(200, {}, '[]')(response, request)
      })
      equal(statusOf(await make(call)), 200)
    }
    return connections.size
  }

  it('uses a connection again, but not for a message, which may not come twice', async () => {
    equal(await connectionsOf([roles, roles, roles]), 1)
    equal(await connectionsOf([roles, message, message]), 3)
  })

  it('is sent once more where the connection of an earlier one was closed', async () => {
    await make()
    double.script((_, request) => void request.socket.destroy())
    equal(statusOf(await make()), 200)
    equal(double.requests.length, 3)
  })

  it('ignores a second answer to one request, and the next call gets its own', async () => {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n'
    double.script((_, request) => void request.socket.write(`${answer}[]${answer}{}`))
    const [first, next] = [await make(), await make()]
    ok(first._tag === 'Answer' && next._tag === 'Answer')
    deepEqual([first.text, JSON.parse(next.text)], ['[]', guildRoleBodies])
  })

  it('follows no redirect, so that no token goes elsewhere', async () => {
    const other = await chatDouble()
    for (const status of [301, 302, 303, 307, 308]) {
      double.script(wildReply(status, { location: `${other.url}/guilds/100/roles` }, ''))
      equal(statusOf(await make()), status)
    }
    equal(other.requests.length, 0)
    await other.close()
  })

  const raw =
    (text: string): WildReply =>
    (_response, request) =>
      void request.socket.end(text)
  const cut = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[{"id"'
  const badChunk = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n[]\r\n0\r\n\r\n'
  const longHead = `HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(100_000)}\r\n\r\n[]`

  const wild: ReadonlyArray<readonly [what: string, reply: WildReply, reason: string]> = [
    ['it never answers', () => undefined, 'timeout'],
    ['its body never ends', dripReply, 'timeout'],
    ['its body is huge', floodReply, 'too_large'],
    ['its body is cut short', raw(cut), 'network'],
    ['its chunks are garbage', raw(badChunk), 'network'],
    ['it speaks no HTTP', raw('220 mail ready\r\n'), 'network'],
    ['its head is huge', raw(longHead), 'network'],
    ['it hangs up', (_, request) => request.socket.destroy(), 'network'],
    ['it answers compressed', gzipReply, 'network'],
  ]
  for (const [what, reply, reason] of wild)
    it(`brings no answer, in time: ${what}`, async () => {
      double.script(reply)
      const limitMs = reason === 'timeout' ? shortMs : timeoutMs
      deepEqual(await make(roles, { limitMs }), silent(reason))
    })

  it('is refused by its status, whatever becomes of the body', async () => {
    const head = { 'retry-after': '7', 'x-ratelimit-scope': 'user' }
    double.script(
      response => {
        response.writeHead(429, { ...head, 'content-length': 100 })
        response.write('{"retry')
        setTimeout(() => response.destroy(), 20)
      },
      wildReply(401, { 'content-encoding': 'gzip' }, 'x'),
      wildReply(503, { 'content-type': 'text/html' }, '<html>'),
    )
    deepEqual(await make(), { _tag: 'Answer', status: 429, headers: head, text: '' })
    equal(statusOf(await make()), 401)
    equal(statusOf(await make()), 503)
  })

  it('is taken back by its signal', async () => {
    const control = new AbortController()
    double.script(() => void setTimeout(() => control.abort(), 30))
    deepEqual(await make(roles, { signal: control.signal }), silent('network'))
  })

  it('warns of nothing where many calls share a signal', async () => {
    const warnings: Array<string> = []
    const onWarning = ({ name }: Error): void => void warnings.push(name)
    process.on('warning', onWarning)
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 16 }, () => make(roles, { signal })))
    process.off('warning', onWarning)
    deepEqual(warnings, [])
  })

  it('brings no answer where nobody listens', async () => {
    const { url } = double
    await double.close()
    double = await chatDouble()
    deepEqual(await make(roles, { base: url }), silent('network'))
  })
})
