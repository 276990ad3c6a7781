import { type AnswerPorts, type FollowUpPorts, openAnswerCalls } from '#actors/follow-up-courier.js'
import { chatHttp } from '#src/adapters/outbound/chat-http.js'
import { sqliteCode } from '#src/adapters/runtime/sqlite.js'
import { labelCode, safeBase } from '#src/domain/outbound/outbound.js'
import { tellWhenRoom } from '#src/kernel/actor/tell-when-room.js'
import { realClock } from '#src/kernel/time/clock.js'
import { reasonOf } from '../start/checkout.js'
import type { NodeParts } from '../tree/node-parts.js'
import { chatUserAgent } from '../version.js'
import { silenceBefore } from './wake-bell.js'

type Sources = Pick<NodeParts, 'checkout' | 'config' | 'dispatch' | 'log' | 'metrics' | 'tree' | 'version'>

/** The calls that send answers: without a bot token, and none where the chat is off or has no address. */
const answerCall = ({ config, metrics, version }: Sources): AnswerPorts['call'] => {
  const base = safeBase(config['integrations.chat.api_url'])
  if (base === null || !config['integrations.chat.enabled']) return null
  const call = chatHttp({ base, token: null, userAgent: chatUserAgent(version) })
  return async (...args) => {
    const heard = await call(...args)
    const code = heard._tag === 'Answer' ? labelCode(heard.status) : heard.reason
    metrics.meter.count('svc_outbound_requests_total', { target: 'chat', code })
    return heard
  }
}

/** The ports of the follow-up courier on this host. */
export const followUpPorts = (parts: Sources): FollowUpPorts => {
  const { checkout, dispatch, log, metrics, tree } = parts
  const { dispatches } = checkout.runtime
  const calls = openAnswerCalls({
    store: { ...dispatches, owed: silenceBefore(dispatch.answerBell, dispatches.owed) },
    groupCommit: checkout.runtime.groupCommit,
    call: answerCall(parts),
    openTarget: dispatch.seal.open,
    queueNowMs: dispatch.nowMs,
    nowMs: realClock.nowMs,
    sent: ({ kind }) => metrics.meter.count('svc_dispatch_answers_total', { kind, result: 'sent' }),
    failed: ({ id, kind }, { why, status, code }) => {
      metrics.meter.count('svc_dispatch_answers_total', { kind, result: why })
      log.warn('follow_up_failed', { id, kind, why, status, code })
    },
    unrecorded: error => log.error('follow_up_unrecorded', { reason: reasonOf(error) }),
    tell: heard => tellWhenRoom(tree.doors.followUps, { _tag: 'Heard', heard }, realClock),
  })
  return {
    calls,
    diskCodeOf: sqliteCode,
    refused: code => log.error('follow_up_disk_refused', { code }),
  }
}
