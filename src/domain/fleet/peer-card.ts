import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { Instant, VisibleText } from '#protocol/atoms.js'
import { CardRole } from '#protocol/fleet/peers.js'
import { readJson } from '#src/domain/json/json-text.js'

/** A card has ten values; unknown keys may bring some more. */
const valuesMax = 1_000

const Count = t.refinement(t.number, n => Number.isFinite(n) && n >= 0, 'Count')

/** The status card of another host (A 2.7), as far as this host uses it. */
const PeerCard = t.type(
  {
    town: VisibleText,
    role: CardRole,
    nowUtc: Instant,
    bootUtc: Instant,
    bootId: VisibleText,
    uptimeSeconds: Count,
    imageDigest: VisibleText,
    schemaVersion: t.union([Count, VisibleText, t.null]),
    syncAgeMinutes: t.union([Count, t.null]),
    version: VisibleText,
  },
  'PeerCard',
)
export type PeerCard = Readonly<t.TypeOf<typeof PeerCard>>

/** The age of a sync as a card shows it, in minutes with one decimal; null where it has none. */
export const cardMinutesOf = (ageMs: number | null): number | null =>
  ageMs === null ? null : Math.round(ageMs / 6_000) / 10

/** The part of `/health` that shows a host of this kind. */
const PeerHealth = t.type(
  { status: t.keyof({ ok: null, degraded: null }), version: VisibleText },
  'PeerHealth',
)

/** The card in an answer of the town; null where the text is no card, or is the card of another town. */
export const readPeerCard = (text: string, town: string): PeerCard | null => {
  const parsed = readJson(text, valuesMax)
  if (isLeft(parsed)) return null
  const card = t.exact(PeerCard).decode(parsed.right)
  return isLeft(card) || card.right.town !== town ? null : card.right
}

/** Whether a text is the health of a host. A host without the card row shows nothing else. */
export const isPeerHealth = (text: string): boolean => {
  const parsed = readJson(text, valuesMax)
  return !isLeft(parsed) && PeerHealth.is(parsed.right)
}
