import { type Day, type NameKey, nameKey } from '#protocol/atoms.js'
import { scalarOn, valuesOn } from '#src/domain/lore/rows/on-day.js'
import type { Row } from '#src/domain/lore/rows/row.js'
import type { CharacterFile, ReputationEntry } from './character-file.js'
import type { DescribedSession } from './described-session.js'
import { type Reputation, reputationEntry } from './reputation.js'
import { isNone } from './section-body.js'

/**
 * The state of a character on a day: its file, overlaid with the rows of its block and of closed sessions
 * (FORMATS 3).
 */
export interface CharacterState {
  readonly sheet: string | null
  readonly restrictedTopics: string | null
  readonly condition: string | null
  readonly specialItems: ReadonlyArray<string>
  readonly reputation: Reputation
  readonly additionalInfo: ReadonlyArray<string>
  readonly describedSessions: ReadonlyArray<DescribedSession>
}

/**
 * A scalar of the file, or the active row of a tag. The file is undated and sorts first, so any active row
 * overrides it.
 */
const scalar = (base: string | null, rows: ReadonlyArray<Row>, tag: string, day: Day): string | null =>
  scalarOn(rows, tag, day) ?? base

/** Values of the file, then those of the active rows, without repetition. */
export const mergeValues = (
  base: ReadonlyArray<string>,
  added: ReadonlyArray<string>,
): ReadonlyArray<string> => [...new Set([...base, ...added])]

/**
 * The places of a tier: those of the file and of rows. A place keeps the detail of the file unless its row
 * brings one.
 */
export const mergeTier = (
  base: ReadonlyArray<ReputationEntry>,
  added: ReadonlyArray<string>,
): ReadonlyArray<ReputationEntry> => {
  const merged = new Map<NameKey, ReputationEntry>()
  for (const entry of [...base, ...added.flatMap(text => reputationEntry(text) ?? [])]) {
    const known = merged.get(nameKey(entry.location))
    merged.set(nameKey(entry.location), {
      location: known?.location ?? entry.location,
      detail: entry.detail ?? known?.detail ?? null,
    })
  }
  return [...merged.values()]
}

const none: ReadonlyArray<never> = []

/** The state of a character on a day. `file` is null when the character has none. */
export const stateOn = (file: CharacterFile | null, rows: ReadonlyArray<Row>, day: Day): CharacterState => {
  const tier = (name: keyof Reputation, tag: string): ReadonlyArray<ReputationEntry> =>
    mergeTier(file?.reputation[name] ?? none, valuesOn(rows, tag, day))
  const topics = scalar(file?.restrictedTopics ?? null, rows, 'tematy_zastrzezone', day)
  return {
    sheet: scalar(file?.sheet ?? null, rows, 'karta_postaci', day),
    restrictedTopics: topics === null || isNone(topics) ? null : topics,
    condition: scalar(file?.condition ?? null, rows, 'stan', day),
    specialItems: mergeValues(file?.specialItems ?? none, valuesOn(rows, 'przedmiot_specjalny', day)),
    reputation: {
      positive: tier('positive', 'reputacja_pozytywna'),
      neutral: tier('neutral', 'reputacja_neutralna'),
      negative: tier('negative', 'reputacja_negatywna'),
    },
    additionalInfo: mergeValues(file?.additionalInfo ?? none, valuesOn(rows, 'dodatkowe_informacje', day)),
    describedSessions: file?.describedSessions ?? none,
  }
}
