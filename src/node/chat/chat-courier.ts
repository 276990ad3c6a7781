import type { ChatCourierPorts } from '#actors/chat/chat-courier.js'
import { Snowflake } from '#protocol/atoms.js'
import type { ChatFailure } from '#protocol/chat/platform.js'
import type { Config } from '#protocol/host/config.js'
import { chatHttp } from '#src/adapters/outbound/chat-http.js'
import { chatDisabled, noBotToken, noChatApi, noGuild } from '#src/domain/chat/failures.js'
import { type ChatLimits, closuresOf, type LimitRules, noLimits } from '#src/domain/chat/limits.js'
import { labelCode, safeBase } from '#src/domain/outbound/outbound.js'
import { realClock } from '#src/kernel/time/clock.js'
import type { MakeCall } from '#src/ports/chat.js'
import type { Meter } from '#src/ports/records.js'
import type { Secrets } from '../identity/secrets.js'
import { chatUserAgent } from '../package-files.js'
import type { Log } from '../records/records.js'

export interface CourierSetup {
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

/** Why this host can send no messages; null where it can. */
export const whyNoMessages = (config: Config, secrets: Secrets): ChatFailure | null => {
  const isQuiet = !config['integrations.chat.enabled'] || config['integrations.chat.rate_per_minute'] === 0
  const isInGuild = Snowflake.is(config['integrations.chat.guild_id'])
  return whyNoChat(config, secrets) ?? (isQuiet ? chatDisabled : isInGuild ? null : noGuild)
}

export const chatCourierPorts = (setup: CourierSetup): ChatCourierPorts => {
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

/** The call of a host that makes no calls: the port refuses before it asks the courier. */
const noCall: MakeCall = () => Promise.resolve({ _tag: 'NoAnswer', reason: 'network' })

const callOf = ({ config, secrets: { chatBotToken: token }, version }: CourierSetup): MakeCall => {
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
