import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { ChatCourierMessage } from '#actors/chat/chat-courier.js'
import { Snowflake } from '#protocol/atoms.js'
import {
  type ChatCall,
  type ChatFailure,
  PlatformChannels,
  PlatformMessage,
  PlatformRoles,
} from '#protocol/chat/platform.js'
import type { Config } from '#protocol/host/config.js'
import { guildRoles } from '#src/adapters/outbound/chat-http.js'
import { badAnswer, courierAway, noAnswerInTime, withDoubt } from '#src/domain/chat/failures.js'
import { createMessage, listGuildChannels, listGuildRoles } from '#src/domain/chat/limits.js'
import type { ChatOutcome } from '#src/domain/chat/outbox.js'
import {
  type EffectIndex,
  findIndexed,
  indexEffects,
  indexedIdsMax,
} from '#src/domain/dispatch/settle-attempt.js'
import { parseJson } from '#src/domain/json/json-text.js'
import { ask, type Ref } from '#src/kernel/actor/ref.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { ChatPort, EffectFinding, FindEffect, GuildRoles } from '#src/ports/chat.js'
import type { Clock } from '#src/ports/clock.js'
import type { EffectLog } from '#src/ports/landing.js'
import type { Secrets } from '../identity/secrets.js'
import type { Log } from '../records/records.js'
import { whyNoChat, whyNoMessages } from './chat-courier.js'

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
  if (isLeft(guildId)) return () => Promise.resolve(left({ _tag: 'roles_unreadable', detail: noGuild }))
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
export interface WakeBell {
  /** Calls `wake` unless a wake waits already. A wake that was not accepted does not count. */
  readonly ring: (wake: () => boolean) => void
  /** The actor looks at the store now: what is recorded later needs another wake. */
  readonly silence: () => void
}

export const openWakeBell = (): WakeBell => {
  let isRinging = false
  return {
    ring: wake => {
      if (!isRinging) isRinging = wake()
    },
    silence: () => {
      isRinging = false
    },
  }
}

/** The look of an actor at its store; it silences the bell first. */
export const silenceBefore =
  <Given extends ReadonlyArray<unknown>, Found>(
    { silence }: Pick<WakeBell, 'silence'>,
    look: (...given: Given) => Found,
  ): ((...given: Given) => Found) =>
  (...given) => {
    silence()
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

const noGuild =
  'integrations.chat.guild_id is empty or not an id, so no roles can be read. Set it in .svc/config.json.'
