import type { NameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { type Decimal, decimalOf, plus } from '#src/domain/lore/figures.js'
import { ledgerKey, ledgerKeyOf } from '#src/domain/lore/session-header.js'
import type { Batch } from './batches.js'
import type { LocateCandidate, PuSession } from './month-sessions.js'

/** The effect of one batch on one character. `granted` is null when the history does not record it. */
export interface Credit {
  readonly character: string
  readonly granted: Decimal | null
  /** Headers, as the batch settled them, of the sessions that name the character. */
  readonly sessions: ReadonlyArray<string>
}

/** Sessions by the key under which batches settle them. */
export type SessionsByKey = ReadonlyMap<NameKey, PuSession>

export const sessionsByKey = perValue(
  (sessions: ReadonlyArray<PuSession>): SessionsByKey =>
    new Map(sessions.map(session => [ledgerKeyOf(session), session])),
)

/**
 * The credits of a batch, in its order: its awards and, for an adopted batch without awards, the characters
 * that its sessions name.
 */
export const creditsOf = (
  batch: Batch,
  sessions: SessionsByKey,
  place: LocateCandidate,
): ReadonlyArray<Credit> => {
  const credits = new Map<string, Collected>()
  enterAwards(credits, batch, place)
  for (const header of batch.sessions)
    for (const entry of sessions.get(ledgerKey(header))?.points ?? []) {
      const found = place(entry.character)
      if (found._tag !== 'One') continue
      const known = credits.get(found.candidate.name)
      if (known === undefined && batch.source === 'batch') continue
      const credit = known ?? { granted: null, sessions: [] }
      if (credit.sessions.at(-1) !== header) credit.sessions.push(header)
      credits.set(found.candidate.name, credit)
    }
  return [...credits].map(([character, { granted, sessions: headers }]) => ({
    character,
    granted,
    sessions: headers,
  }))
}

/** Mutable state of a credit; it never leaves this file. */
interface Collected {
  granted: Decimal | null
  readonly sessions: Array<string>
}

const nameOf = (written: string, place: LocateCandidate): string => {
  const found = place(written)
  return found._tag === 'One' ? found.candidate.name : written
}

const enterAwards = (credits: Map<string, Collected>, batch: Batch, place: LocateCandidate): void => {
  for (const award of batch.awards) {
    const name = nameOf(award.character, place)
    const granted = award.granted === null ? null : decimalOf(award.granted)
    const known = credits.get(name)
    if (known === undefined) credits.set(name, { granted, sessions: [] })
    else known.granted = known.granted === null || granted === null ? null : plus(known.granted, granted)
  }
}
