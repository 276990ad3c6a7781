import type { Snowflake } from '#protocol/atoms.js'
import type { ChatCall, Heard } from '#protocol/chat/platform.js'
import { readDecimal, secondsToWaitMs } from '#src/domain/outbound/outbound.js'
import type { Verdict } from './failures.js'

/**
 * The platform bans an address after 10,000 invalid answers in ten minutes: 401, 403, and 429 that is not
 * shared.
 */
export const invalidBudget: WindowRule = { max: 1_000, windowMs: 600_000 }

/** How long no call is made after a 401: asking again does not make an unknown token valid. */
export const tokenHoldMs = 600_000

export interface LimitRules {
  /** `integrations.chat.rate_per_minute`, above 0. */
  readonly messages: WindowRule
}

/**
 * The known limits of the platform, in monotonic milliseconds. A bucket belongs to a hash and a major id, or
 * to the route and the major id until its hash is known. `holds` are the ends of 429s, under both keys.
 */
export interface ChatLimits {
  readonly hashes: ReadonlyMap<string, string>
  readonly buckets: ReadonlyMap<string, ChatBucket>
  readonly holds: ReadonlyMap<string, number>
  readonly heldUntilMs: number
  readonly tokenRefusedUntilMs: number
  readonly starts: Starts
  readonly messages: Starts
  readonly invalid: Starts
}

export const noLimits: ChatLimits = {
  hashes: new Map(),
  buckets: new Map(),
  holds: new Map(),
  heldUntilMs: 0,
  tokenRefusedUntilMs: 0,
  starts: [],
  messages: [],
  invalid: [],
}

/** Whether a call may begin. `Closed`: no call may begin, and the wait is longer than a call lives. */
export type Admission =
  | { readonly _tag: 'Go' }
  | { readonly _tag: 'Wait'; readonly untilMs: number }
  | { readonly _tag: 'Closed'; readonly why: 'token' | 'budget'; readonly untilMs: number }

/** Until when no call may begin at all, by reason, in monotonic milliseconds; a past time closes nothing. */
export const closuresOf = ({ tokenRefusedUntilMs, invalid }: ChatLimits) => ({
  token: tokenRefusedUntilMs,
  budget: freeAtMs(invalidBudget, invalid),
})

/**
 * Whether the call may begin now, at the earliest at a time, or not at all. Changes no limit; `beginCall`
 * counts the call.
 */
export const admissionOf = (
  limits: ChatLimits,
  rules: LimitRules,
  call: ChatCall,
  nowMs: number,
): Admission => {
  const { token, budget } = closuresOf(limits)
  if (nowMs < token) return { _tag: 'Closed', why: 'token', untilMs: token }
  if (nowMs < budget) return { _tag: 'Closed', why: 'budget', untilMs: budget }
  const bucket = bucketOf(limits, call)
  const untilMs = Math.max(
    limits.heldUntilMs,
    freeAtMs(globalWindow, limits.starts),
    call.isMessage ? freeAtMs(rules.messages, limits.messages) : 0,
    bucket === null ? 0 : bucketFreeAtMs(bucket),
    ...keysOf(limits, call).map(key => limits.holds.get(key) ?? 0),
  )
  return nowMs < untilMs ? { _tag: 'Wait', untilMs } : { _tag: 'Go' }
}

/** Counts a call that begins, whatever its answer will be. Calls are made one at a time. */
export const beginCall = (
  limits: ChatLimits,
  rules: LimitRules,
  call: ChatCall,
  nowMs: number,
): ChatLimits => {
  const bucket = bucketOf(limits, call)
  const counted = {
    ...limits,
    starts: recordStart(globalWindow, limits.starts, nowMs),
    messages: call.isMessage ? recordStart(rules.messages, limits.messages, nowMs) : limits.messages,
  }
  return bucket === null ? counted : withBucket(counted, call, takeCall(bucket, nowMs), nowMs)
}

/** Updates the limits with the outcome of an attempt. */
export const recordAnswer = (
  limits: ChatLimits,
  call: ChatCall,
  heard: Heard,
  verdict: Verdict,
  nowMs: number,
): ChatLimits => {
  const told = withTold(limits, call, heard, nowMs)
  const counted = isInvalid(verdict)
    ? { ...told, invalid: recordStart(invalidBudget, told.invalid, nowMs) }
    : told
  if (verdict._tag === 'TokenRefused') return { ...counted, tokenRefusedUntilMs: nowMs + tokenHoldMs }
  if (verdict._tag !== 'Limited') return counted
  const untilMs = nowMs + verdict.waitMs
  return verdict.scope === 'global'
    ? { ...counted, heldUntilMs: Math.max(counted.heldUntilMs, untilMs) }
    : withHold(counted, call, untilMs, nowMs)
}

/** Parses the rate-limit headers; null when they are absent or invalid. */
export const readBucket = (headers: Readonly<Record<string, string>>): ToldBucket | null => {
  const limit = readDecimal(headers['x-ratelimit-limit'])
  const remaining = readDecimal(headers['x-ratelimit-remaining'])
  const seconds = readDecimal(headers['x-ratelimit-reset-after'])
  const resetAfterMs = seconds === null ? null : secondsToWaitMs(seconds)
  if (limit === null || remaining === null || resetAfterMs === null) return null
  const hash = headers['x-ratelimit-bucket'] ?? ''
  return {
    hash: hash === '' || hash.length > hashLengthMax ? null : hash,
    limit: Math.floor(limit),
    remaining: Math.floor(remaining),
    resetAfterMs,
  }
}

/** The starts that a window still counts, oldest first; never more than its `max`. */
export type Starts = ReadonlyArray<number>

/** The time from which one more call may start; 0 when it may now. */
export const freeAtMs = ({ max, windowMs }: WindowRule, starts: Starts): number => {
  const oldest = starts.at(-max)
  return oldest === undefined ? 0 : oldest + windowMs
}

/** The starts with one more; keeps only as many as the window allows. */
export const recordStart = ({ max }: WindowRule, starts: Starts, nowMs: number): Starts =>
  [...starts, nowMs].slice(-max)

export const listGuildRoles = (guildId: Snowflake): ChatCall => read('/guilds/{guild_id}/roles', guildId)

export const listGuildChannels = (guildId: Snowflake): ChatCall =>
  read('/guilds/{guild_id}/channels', guildId)

/**
 * The call that posts a message. It disables all pings, because names in a text of the lore are only names.
 */
export const createMessage = ({ channelId, content, nonce }: Message): ChatCall => ({
  method: 'POST',
  route: '/channels/{channel_id}/messages',
  major: channelId,
  path: `/channels/${channelId}/messages`,
  body: JSON.stringify({ content, nonce, enforce_nonce: true, allowed_mentions: { parse: [] } }),
  isMessage: true,
})

/** The call that replaces the first answer to an interaction. It disables all pings and needs no bot token. */
export const editOriginal = ({ applicationId, token, content }: FollowUp): ChatCall => ({
  method: 'PATCH',
  route: '/webhooks/{webhook_id}/{webhook_token}/messages/@original',
  major: applicationId,
  path: `/webhooks/${applicationId}/${encodeURIComponent(token)}/messages/@original`,
  body: JSON.stringify({ content, allowed_mentions: { parse: [] } }),
  isMessage: false,
})

/**
 * The platform allows one bot 50 calls a second. The window is a tenth longer, so that varying delays do not
 * exceed that.
 */
const globalWindow: WindowRule = { max: 50, windowMs: 1_100 }

const keptMax = 256

const routeOf = ({ method, route }: ChatCall): string => `${method} ${route}`

/** The keys under which limits of a call may be known, the most specific first. */
const keysOf = (limits: ChatLimits, call: ChatCall): ReadonlyArray<string> => {
  const hash = limits.hashes.get(routeOf(call))
  const own = `${routeOf(call)} ${call.major}`
  return hash === undefined ? [own] : [`${hash} ${call.major}`, own]
}

const bucketOf = (limits: ChatLimits, call: ChatCall): ChatBucket | null => {
  for (const key of keysOf(limits, call)) {
    const bucket = limits.buckets.get(key)
    if (bucket !== undefined) return bucket
  }
  return null
}

/** Stores the bucket under every key of the call, so that it survives a change of the hash. */
const withBucket = (limits: ChatLimits, call: ChatCall, bucket: ChatBucket, nowMs: number): ChatLimits => {
  const isFull = limits.buckets.size >= keptMax
  const open = isFull ? [...limits.buckets].filter(([, one]) => nowMs < one.resetAtMs) : limits.buckets
  // A platform that names a new bucket with each answer makes no more of them than this.
  const kept = [...open].slice(-keptMax)
  const own = keysOf(limits, call).map((key): [string, ChatBucket] => [key, bucket])
  return { ...limits, buckets: new Map([...kept, ...own]) }
}

const withTold = (limits: ChatLimits, call: ChatCall, heard: Heard, nowMs: number): ChatLimits => {
  const told = heard._tag === 'Answer' ? readBucket(heard.headers) : null
  if (told === null) return limits
  const hashes = told.hash === null ? limits.hashes : new Map([...limits.hashes, [routeOf(call), told.hash]])
  const learnt = updateBucket(bucketOf(limits, call), told, nowMs)
  return withBucket({ ...limits, hashes }, call, learnt, nowMs)
}

const isInvalid = (verdict: Verdict): boolean =>
  verdict._tag === 'TokenRefused' ||
  (verdict._tag === 'Refused' && verdict.status === 403) ||
  (verdict._tag === 'Limited' && verdict.scope !== 'shared')

const withHold = (limits: ChatLimits, call: ChatCall, untilMs: number, nowMs: number): ChatLimits => {
  const kept = [...limits.holds].filter(([, until]) => nowMs < until)
  const holds = keysOf(limits, call).map((key): [string, number] => [
    key,
    Math.max(untilMs, limits.holds.get(key) ?? 0),
  ])
  return { ...limits, holds: new Map([...kept, ...holds]) }
}

/**
 * The reported state of one bucket, in monotonic milliseconds. At `resetAtMs` a new window begins with the
 * next call; it is assumed to be as long as the longest one reported.
 */
interface ChatBucket {
  readonly limit: number
  readonly remaining: number
  readonly windowMs: number
  readonly resetAtMs: number
}

/** The bucket in an answer: its state, and its hash if the answer names one. */
interface ToldBucket {
  readonly hash: string | null
  readonly limit: number
  readonly remaining: number
  readonly resetAfterMs: number
}

const hashLengthMax = 128

/** The time from which a call may begin; 0 when it may now. */
const bucketFreeAtMs = (bucket: ChatBucket): number => (bucket.remaining > 0 ? 0 : bucket.resetAtMs)

/**
 * The bucket after one more call. Calls are counted before they begin, so that a call whose answer is lost
 * counts too.
 */
const takeCall = (bucket: ChatBucket, nowMs: number): ChatBucket =>
  nowMs >= bucket.resetAtMs
    ? { ...bucket, remaining: bucket.limit - 1, resetAtMs: nowMs + bucket.windowMs }
    : { ...bucket, remaining: bucket.remaining - 1 }

/** The bucket after an answer of the platform that states its limit. */
const updateBucket = (
  before: ChatBucket | null,
  { limit, remaining, resetAfterMs }: ToldBucket,
  nowMs: number,
): ChatBucket => ({
  limit,
  remaining,
  windowMs: Math.max(before?.windowMs ?? 0, resetAfterMs),
  resetAtMs: nowMs + resetAfterMs,
})

/** At most `max` starts within any `windowMs`. */
interface WindowRule {
  readonly max: number
  readonly windowMs: number
}

const read = (route: string, guildId: Snowflake): ChatCall => ({
  method: 'GET',
  route,
  major: guildId,
  path: route.replace('{guild_id}', guildId),
  body: null,
  isMessage: false,
})

interface Message {
  readonly channelId: Snowflake
  readonly content: string
  /**
   * Up to 25 characters. The platform treats a message sent again with the same nonce within minutes as the
   * same one.
   */
  readonly nonce: string
}

/** A text for the first answer to an interaction, which its token alone identifies. */
interface FollowUp {
  readonly applicationId: Snowflake
  readonly token: string
  readonly content: string
}
