import * as t from 'io-ts'
import type { ChatCall, Heard, LimitScope } from '#protocol/chat/platform.js'
import { parseJson } from '#src/domain/json/json-text.js'
import type { KernelClock } from '#src/kernel/time/clock.js'
import type { MakeCall } from '#src/ports/chat.js'
import type { Trace } from '#test/simulation/node/trace.js'
import type { Weather } from '#test/simulation/node/weather.js'

/** A message in a channel. */
export interface PostedMessage {
  readonly id: string
  readonly channelId: string
  readonly text: string
}

interface Interaction {
  readonly bornMs: number
  /** When the worker answers the chat; until then there is no original answer. */
  readonly acknowledgedMs: number
  readonly diesMs: number
}

/** The platform: it remembers nonces for minutes, limits calls, fails, and loses answers. */
export interface ChatPlatform {
  readonly call: MakeCall
  readonly beginInteraction: (token: string) => void
  readonly posted: ReadonlyArray<PostedMessage>
  /** The text that the platform shows as the answer of a token. */
  readonly answerOf: (token: string) => string | undefined
}

export interface PlatformParts {
  readonly clock: KernelClock
  readonly weather: Weather
  readonly trace: Trace
  readonly channels: ReadonlyArray<{ readonly id: string; readonly name: string }>
}

const Posted = t.type({ content: t.string, nonce: t.string })
const Edited = t.type({ content: t.string })

const minuteMs = 60_000
const tokenLifeMs = 15 * minuteMs
const categoryId = '10'
/** The name of the category that has every channel. */
export const categoryName = 'sesje'

const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Heard => ({
  _tag: 'Answer',
  status,
  headers,
  text: JSON.stringify(body),
})

const limitAnswer = (scope: LimitScope, seconds: number | null): Heard =>
  answer(
    429,
    {
      message: 'slow down',
      code: 0,
      ...(seconds === null ? {} : { retry_after: seconds }),
      global: scope === 'global',
    },
    {
      'x-ratelimit-scope': scope,
      ...(seconds === null ? {} : { 'retry-after': String(Math.ceil(seconds)) }),
    },
  )

/** The messages of the channels, with the nonces that the platform remembers. */
const openMessages = ({ clock, weather, trace }: PlatformParts) => {
  const nonceMemoryMs = weather.between(2 * minuteMs, 5 * minuteMs)
  const posted: Array<PostedMessage> = []
  const nonces = new Map<string, { readonly message: PostedMessage; readonly atMs: number }>()
  const post = (channelId: string, body: string | null): { readonly message: PostedMessage } | null => {
    const read = parseJson(body ?? '')
    if (!Posted.is(read)) return null
    const key = `${channelId} ${read.nonce}`
    const known = nonces.get(key)
    if (known !== undefined && clock.monotonicMs() - known.atMs < nonceMemoryMs) {
      trace.mark('the platform recognized a nonce')
      return known
    }
    const message = { id: String(1_000 + posted.length), channelId, text: read.content }
    posted.push(message)
    nonces.set(key, { message, atMs: clock.monotonicMs() })
    trace.say(`posted in ${channelId}: ${read.content}`)
    return { message }
  }
  return { posted, post }
}

const openTokens = ({ clock, weather, trace }: PlatformParts) => {
  const tokens = new Map<string, Interaction>()
  const answers = new Map<string, string>()
  const edit = (token: string, body: string | null): Heard => {
    const known = tokens.get(token)
    const nowMs = clock.monotonicMs()
    const read = parseJson(body ?? '')
    if (known === undefined || !Edited.is(read)) return answer(404, { message: 'unknown', code: 10_015 })
    if (nowMs >= known.diesMs) {
      trace.mark('a token died before its answer')
      return answer(401, { message: 'Invalid Webhook Token', code: 50_027 })
    }
    if (nowMs < known.acknowledgedMs) {
      trace.mark('an answer came before the worker answered the chat')
      return answer(404, { message: 'Unknown Message', code: 10_008 })
    }
    answers.set(token, read.content)
    trace.say(`${token} shows ${read.content}`)
    return answer(200, { id: '1', channel_id: '1' })
  }
  return {
    answers,
    edit,
    begin: (token: string): void => {
      const bornMs = clock.monotonicMs()
      const lifeMs = weather.mishap(0.05) ? weather.between(100, minuteMs) : tokenLifeMs
      tokens.set(token, {
        bornMs,
        acknowledgedMs: bornMs + weather.between(0, 3_000),
        diesMs: bornMs + lifeMs,
      })
    },
  }
}

/** What the platform says before it looks at a call; null where it carries the call out. */
const openGuard = ({ clock, weather, trace }: PlatformParts) => {
  const { mishap, between } = weather
  let heldUntilMs = 0
  return (call: ChatCall): Heard | null => {
    const nowMs = clock.monotonicMs()
    if (mishap(0.01)) heldUntilMs = nowMs + between(500, 20_000)
    if (nowMs < heldUntilMs) {
      trace.mark('the platform held all calls')
      return limitAnswer('global', mishap(0.2) ? null : (heldUntilMs - nowMs) / 1_000)
    }
    if (mishap(0.04))
      return limitAnswer(mishap(0.3) ? 'shared' : 'user', mishap(0.3) ? null : between(0, 5_000) / 1_000)
    if (mishap(0.05)) return answer(between(500, 504), '<html>')
    if (call.method === 'PATCH') return null
    if (mishap(0.002)) return answer(401, { message: '401: Unauthorized', code: 0 })
    if (call.isMessage && mishap(0.02))
      return answer(mishap(0.5) ? 403 : 404, { message: 'no', code: 50_001 })
    return null
  }
}

export const openPlatform = (parts: PlatformParts): ChatPlatform => {
  const { clock, weather, trace, channels } = parts
  const { between, mishap } = weather
  const messages = openMessages(parts)
  const tokens = openTokens(parts)
  const guard = openGuard(parts)
  const guildChannels = [
    { id: categoryId, name: categoryName, type: 4, parent_id: null },
    ...channels.map(one => ({ ...one, type: 0, parent_id: categoryId })),
  ]
  const carryOut = (call: ChatCall): Heard => {
    const refused = guard(call)
    if (refused !== null) return refused
    const [, , first = '', second = ''] = call.path.split('/')
    if (call.method === 'PATCH') return tokens.edit(second, call.body)
    if (call.method === 'GET') return answer(200, guildChannels)
    const made = messages.post(first, call.body)
    return made === null ? answer(400, {}) : answer(200, { id: made.message.id, channel_id: first })
  }
  const sleep = (ms: number): Promise<void> => new Promise(resolve => void clock.after(ms, resolve))
  const call: MakeCall = async (wanted, timeoutMs) => {
    const silence: Heard = { _tag: 'NoAnswer', reason: 'timeout' }
    const [thereMs, backMs] = [between(5, 200), mishap(0.03) ? timeoutMs : between(5, 300)]
    if (mishap(0.03)) {
      await sleep(timeoutMs)
      return silence
    }
    await sleep(thereMs)
    const heard = carryOut(wanted)
    if (backMs + thereMs < timeoutMs && !mishap(0.05)) {
      await sleep(backMs)
      return heard
    }
    if (wanted.isMessage && heard._tag === 'Answer' && heard.status === 200)
      trace.mark('the platform posted a message and its answer was lost')
    await sleep(Math.max(0, timeoutMs - thereMs))
    return silence
  }
  return {
    call,
    beginInteraction: tokens.begin,
    posted: messages.posted,
    answerOf: token => tokens.answers.get(token),
  }
}
