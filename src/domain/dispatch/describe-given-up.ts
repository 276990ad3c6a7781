import type { GivenUpAnswer } from '#protocol/chat/delivery.js'
import type { FollowUpFailure, FollowUpVerdict } from './judge-follow-up.js'

const details: Readonly<Record<FollowUpFailure, string>> = {
  expired: 'The platform did not take the answer while its token was valid.',
  token_unreadable:
    'The token cannot be decrypted, because dispatch.key is another one than at the acceptance.',
  chat_disabled:
    'This host calls no chat platform. Set integrations.chat.enabled and integrations.chat.api_url.',
  token_dead: 'The platform does not accept the token of this interaction any more.',
  not_found: 'The platform knows no first answer of this interaction. The worker did not answer the chat.',
  refused: 'The platform refused the answer.',
}

/** The failures that come without another request. */
const silent: ReadonlySet<FollowUpFailure> = new Set(['expired', 'token_unreadable', 'chat_disabled'])

/**
 * Describes an answer that is given up. One that expired after a try is unknown, because the platform may have it
 * without this host knowing.
 */
export const describeGivenUp = (
  { id, tries, acceptedMs }: { readonly id: string; readonly tries: number; readonly acceptedMs: number },
  { why, status, code }: Extract<FollowUpVerdict, { _tag: 'Final' }>,
): GivenUpAnswer => {
  const said = status === null ? '' : ` It answered with status ${status}.`
  const detail = `${details[why]}${said} The effect of the interaction stays.`
  return {
    id,
    attempts: silent.has(why) ? tries : tries + 1,
    queuedMs: acceptedMs,
    end: why === 'expired' && tries > 0 ? { _tag: 'Unknown', detail } : { _tag: 'Refused', code, detail },
  }
}
