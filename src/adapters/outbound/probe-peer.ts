import { type Either, isLeft } from 'fp-ts/lib/Either.js'
import type { FetchTrouble } from '#protocol/outbound.js'
import {
  isPeerHealth,
  type ProbeFailure,
  type ProbeKind,
  type ProbeResult,
  readPeerCard,
} from '#src/domain/fleet/peers.js'
import { fetchText } from './fetch-text.js'

/** The most bytes of a card that are read; a card has about 400. */
export const cardBytesMax = 65_536

export interface ProbeTarget {
  readonly town: string
  /** Base URL of its interface, without a slash at its end. */
  readonly url: string
  /** For the whole probe. */
  readonly timeoutMs: number
  /** Called when the town begins to answer. */
  readonly onAnswering?: () => void
}

const failures: Readonly<Record<FetchTrouble, ProbeFailure | null>> = {
  not_sent: null,
  address: null,
  refused: 'refused',
  tls: 'tls',
  timeout: 'timeout',
  unreachable: 'unreachable',
  too_large: 'bad_card',
  malformed: 'bad_card',
  not_found: 'bad_card',
  status: 'bad_card',
}

const judgeTrouble = (kind: ProbeKind, trouble: FetchTrouble): ProbeResult => {
  const why = failures[trouble]
  return why === null ? { _tag: 'NotSent' } : { _tag: 'Failed', kind, why }
}

const judgeCard = (answer: Either<FetchTrouble, string>, town: string): ProbeResult => {
  const kind = 'fleet-status'
  if (isLeft(answer)) return judgeTrouble(kind, answer.left)
  const card = readPeerCard(answer.right, town)
  return card === null ? { _tag: 'Failed', kind, why: 'bad_card' } : { _tag: 'Answered', kind, card }
}

const judgeHealth = (answer: Either<FetchTrouble, string>): ProbeResult => {
  const kind = 'health'
  if (isLeft(answer)) return judgeTrouble(kind, answer.left)
  return isPeerHealth(answer.right)
    ? { _tag: 'Answered', kind, card: null }
    : { _tag: 'Failed', kind, why: 'bad_card' }
}

/**
 * Asks a town for its card, and for `/health` where it has no card row (404). Never rejects, and ends within its
 * time-out. Follows no redirect.
 */
export const probePeer = async (
  { town, url, timeoutMs, onAnswering }: ProbeTarget,
  monotonicMs: () => number,
  signal: AbortSignal,
): Promise<ProbeResult> => {
  const untilMs = monotonicMs() + timeoutMs
  const bytesMax = cardBytesMax
  const card = await fetchText(`${url}/fleet/status`, { timeoutMs, bytesMax, onAnswering }, signal)
  if (!isLeft(card) || card.left !== 'not_found') return judgeCard(card, town)
  const restMs = Math.max(1, untilMs - monotonicMs())
  return judgeHealth(await fetchText(`${url}/health`, { timeoutMs: restMs, bytesMax }, signal))
}
