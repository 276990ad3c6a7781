import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { ChatCourierMessage, ChatCourierPorts } from '#actors/chat/chat-courier.js'
import { Snowflake } from '#protocol/atoms.js'
import {
  type ChatCall,
  type ChatFailure,
  PlatformChannels,
  PlatformMessage,
  PlatformRoles,
} from '#protocol/chat/platform.js'
import type { Config } from '#protocol/host/config.js'
import { chatHttp, guildRoles } from '#src/adapters/outbound/chat-http.js'
import {
  badAnswer,
  chatDisabled,
  courierAway,
  noAnswerInTime,
  noBotToken,
  noChatApi,
  noGuild,
  withDoubt,
} from '#src/domain/chat/failures.js'
import {
  type ChatLimits,
  closuresOf,
  createMessage,
  type LimitRules,
  listGuildChannels,
  listGuildRoles,
  noLimits,
} from '#src/domain/chat/limits.js'
import type { ChatOutcome } from '#src/domain/chat/outbox.js'
import {
  type EffectIndex,
  findIndexed,
  indexEffects,
  indexedIdsMax,
} from '#src/domain/dispatch/settle-attempt.js'
import { parseJson } from '#src/domain/json/json-text.js'
import { labelCode, safeBase } from '#src/domain/outbound/outbound.js'
import { ask, type Ref } from '#src/kernel/actor/ref.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { ChatPort, EffectFinding, FindEffect, GuildRoles, MakeCall } from '#src/ports/chat.js'
import type { Clock } from '#src/ports/clock.js'
import type { EffectLog } from '#src/ports/landing.js'
import type { Meter } from '#src/ports/records.js'
import type { Secrets } from '../identity/secrets.js'
import { chatUserAgent } from '../package-files.js'
import type { Log } from '../records/records.js'

/** The chat platform as this host may call it. Without a token or an address it makes no calls. */
export const chatOf = (config: Config, secrets: Secrets, courier: Ref<ChatCourierMessage>): ChatPort => {
  const whyNot = whyNoChat(config, secrets)
  const made = askCourier(courier)
  const read = async <A>(call: ChatCall, codec: t.Type<A, unknown>): Promise<Either<ChatFailure, A>> =>
    whyNot === null ? decodeOutcome(codec, await made(call, readBudgetMs)) : left(whyNot)
  return {
    guildRoles: guildId => read(listGuildRoles(guildId), PlatformRoles),
    guildChannels: guildId => read(listGuildChannels(guildId), PlatformChannels),
    createMessage: async message => {
      const stop = whyNoMessages(config, secrets)
      if (stop !== null) return left(stop)
      const sent = decodeOutcome(PlatformMessage, await made(createMessage(message), messageBudgetMs))
      return isLeft(sent) ? sent : right(sent.right.id)
    },
  }
}

/** The roles of the configured guild, cached for `integrations.chat.role_cache_ttl_min`. */
export const guildRolesOf = (config: Config, chat: ChatPort, log: Pick<Log, 'warn'>): GuildRoles => {
  const guildId = Snowflake.decode(config['integrations.chat.guild_id'])
  if (isLeft(guildId)) return () => Promise.resolve(left({ _tag: 'roles_unreadable', detail: noGuildId }))
  return guildRoles({
    fetch: () => chat.guildRoles(guildId.right),
    ttlMs: config['integrations.chat.role_cache_ttl_min'] * 60_000,
    monotonicMs: realClock.monotonicMs,
    failed: ({ _tag: why, detail }) => log.warn('guild_roles_unreadable', { why, detail }),
  })
}

/**
 * Lets one `Wake` at a time wait in the mailbox of the dispatch queue, of the courier of answers or of the chat sender.
 * Every wake has the actor look at the store once more, so a second one adds nothing, and a flood of interactions or
 * messages would fill the mailbox and keep the outcomes of calls waiting.
 */
export interface WakeSignal {
  /** Calls `wake` unless a wake waits already. A wake that was not accepted does not count. */
  readonly raise: (wake: () => boolean) => void
  /** The actor looks at the store now: what is recorded later needs another wake. */
  readonly clear: () => void
}

export const openWakeSignal = (): WakeSignal => {
  let isRaised = false
  return {
    raise: wake => {
      if (!isRaised) isRaised = wake()
    },
    clear: () => {
      isRaised = false
    },
  }
}

/** The look of an actor at its store; it clears the signal first. */
export const clearBefore =
  <Given extends ReadonlyArray<unknown>, Found>(
    { clear }: Pick<WakeSignal, 'clear'>,
    look: (...given: Given) => Found,
  ): ((...given: Given) => Found) =>
  (...given) => {
    clear()
    return look(...given)
  }

/**
 * A clock in whole milliseconds that begins at the wall time of this call and then follows the monotonic clock, so
 * that a step of the wall clock neither shortens nor lengthens what is measured by it (L4).
 */
export const queueClock = ({ nowMs, monotonicMs }: Clock): (() => number) => {
  const [startMs, startMonotonicMs] = [nowMs(), monotonicMs()]
  return () => Math.floor(startMs + monotonicMs() - startMonotonicMs)
}

export interface FindEffectPorts {
  /** Fetches the branch within `budgetMs`. Returns null, or why it may not be up to date. */
  readonly fetch: (budgetMs: number) => Promise<string | null>
  readonly log: EffectLog
}

/**
 * Makes the look-up of effects. It keeps one index, of the last tip: a look at a descendant of that tip reads
 * only the commits between the two, any other tip has its whole history read. A look for an id that the index
 * of `idsMax` ids left out reads the whole history.
 */
export const makeFindEffect = ({ fetch, log }: FindEffectPorts, idsMax = indexedIdsMax): FindEffect => {
  let last: EffectIndex | null = null

  const indexAt = async (tip: EffectIndex['tip'], signal: AbortSignal): Promise<EffectIndex> => {
    const base = last
    if (base?.tip === tip) return base
    const added = base === null ? null : await log.keyedCommits(tip, base.tip, signal)
    const index =
      added === null
        ? indexEffects(tip, null, (await log.keyedCommits(tip, null, signal)) ?? [], idsMax)
        : indexEffects(tip, base, added, idsMax)
    last = index
    return index
  }

  const findAt = async (tip: EffectIndex['tip'], id: string, signal: AbortSignal): Promise<EffectFinding> => {
    const indexed = findIndexed(await indexAt(tip, signal), id)
    const commit =
      indexed === 'LeftOut'
        ? ((await log.keyedCommits(tip, null, signal))?.find(({ keys }) => keys.includes(id))?.commit ?? null)
        : indexed
    return commit === null ? { _tag: 'Absent' } : { _tag: 'Found', commit }
  }

  return async (id, budgetMs, signal) => {
    try {
      const reason = await fetch(budgetMs)
      if (reason !== null) return { _tag: 'Unreadable', reason }
      const tip = await log.tip()
      if (tip._tag === 'NotFetched')
        return { _tag: 'Unreadable', reason: 'the branch of the remote was never fetched' }
      return tip.commit === null ? { _tag: 'Absent' } : await findAt(tip.commit, id, signal)
    } catch (error) {
      return { _tag: 'Unreadable', reason: error instanceof Error ? error.message : String(error) }
    }
  }
}

export interface CourierSources {
  readonly config: Config
  readonly secrets: Secrets
  readonly version: string
  readonly meter: Meter
  readonly log: Log
}

export const limitRules = (config: Config): LimitRules => ({
  messages: { max: Math.max(1, config['integrations.chat.rate_per_minute']), windowMs: 60_000 },
})

/** Why this host can make no calls at all; null where it can. */
export const whyNoChat = (config: Config, { chatBotToken }: Secrets): ChatFailure | null => {
  if (chatBotToken === null) return noBotToken
  return safeBase(config['integrations.chat.api_url']) === null ? noChatApi : null
}

/** Whether the configuration has this host send no messages. */
export const isQuiet = (config: Config): boolean =>
  !config['integrations.chat.enabled'] || config['integrations.chat.rate_per_minute'] === 0

/** Why this host can send no messages; null where it can. */
export const whyNoMessages = (config: Config, secrets: Secrets): ChatFailure | null => {
  const isInGuild = Snowflake.is(config['integrations.chat.guild_id'])
  return whyNoChat(config, secrets) ?? (isQuiet(config) ? chatDisabled : isInGuild ? null : noGuild)
}

export const chatCourierPorts = (setup: CourierSources): ChatCourierPorts => {
  const { meter, log } = setup
  let limits: ChatLimits = noLimits
  meterClosures(limits, meter)
  return {
    call: callOf(setup),
    limits: {
      get: () => limits,
      set: known => {
        limits = known
        meterClosures(limits, meter)
      },
    },
    heard: what => {
      const code = what._tag === 'Answer' ? labelCode(what.status) : what.reason
      meter.count('svc_outbound_requests_total', { target: 'chat', code })
    },
    judged: (verdict, isSpent) => {
      if (verdict._tag === 'Limited') {
        const { scope, waitMs } = verdict
        meter.count('svc_outbound_rate_limited_total', { target: 'chat', scope })
        log.warn('chat_rate_limited', { scope, waitMs })
      }
      if (verdict._tag === 'TokenRefused') log.error('chat_token_refused')
      if (verdict._tag === 'Refused') log.warn('chat_refused', { status: verdict.status, code: verdict.code })
      if (isSpent) log.error('chat_invalid_budget_spent')
    },
  }
}

/** A caller waits for a read; a message may take longer. */
const readBudgetMs = 8_000

const messageBudgetMs = 30_000

/** How much later than its budget an answer may come: the attempt before it in the queue. */
const graceMs = 4_000

const decodeOutcome = <A>(codec: t.Type<A, unknown>, outcome: ChatOutcome): Either<ChatFailure, A> => {
  if (isLeft(outcome)) return outcome
  const read = codec.decode(parseJson(outcome.right))
  return isLeft(read) ? left(badAnswer(outcome.right)) : right(read.right)
}

const askCourier =
  (courier: Ref<ChatCourierMessage>) =>
  async (call: ChatCall, budgetMs: number): Promise<ChatOutcome> => {
    const answer = await ask<ChatCourierMessage, ChatOutcome>(
      courier,
      replyTo => ({ _tag: 'Ask', call, budgetMs, replyTo }),
      budgetMs + graceMs,
    )
    if (!isLeft(answer)) return answer.right
    const { _tag: why } = answer.left
    if (why === 'Timeout') return left(withDoubt(noAnswerInTime))
    return left(why === 'Faulted' ? withDoubt(courierAway) : courierAway)
  }

const noGuildId =
  'integrations.chat.guild_id is empty or not an id, so no roles can be read. Set it in .svc/config.json.'

/** The call of a host that makes no calls: the port refuses before it asks the courier. */
const noCall: MakeCall = () => Promise.resolve({ _tag: 'NoAnswer', reason: 'network' })

const callOf = ({ config, secrets: { chatBotToken: token }, version }: CourierSources): MakeCall => {
  const base = safeBase(config['integrations.chat.api_url'])
  if (token === null || base === null) return noCall
  return chatHttp({ base, token, userAgent: chatUserAgent(version) })
}

/** Sets until when the courier makes no call, on the wall clock, for each reason. */
const meterClosures = (limits: ChatLimits, meter: Meter): void => {
  const nowMs = realClock.monotonicMs()
  for (const [reason, untilMs] of Object.entries(closuresOf(limits))) {
    const untilSeconds = untilMs > nowMs ? (realClock.nowMs() + untilMs - nowMs) / 1_000 : 0
    meter.gauge('svc_chat_courier_shut_until_timestamp_seconds', { reason }, untilSeconds)
  }
}
