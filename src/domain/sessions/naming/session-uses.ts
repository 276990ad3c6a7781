import { type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { namesInField, splitNarrators } from '#src/domain/lore/narrator-field.js'
import { splitRange } from '#src/domain/lore/rows/range.js'
import { ledgerKeyOf } from '#src/domain/lore/session-header.js'
import { bareWordsOfKey } from '#src/domain/names/reach/possible-forms.js'
import { intelTargetOf } from '../intel-recipients.js'
import type { Session } from '../session.js'

const keysOf = (names: ReadonlyArray<string>): ReadonlySet<NameKey> =>
  new Set(names.map(nameKey).filter(key => key !== ''))

/** Names in the narrator field of a session, as a whole and by parts. */
const narratorKeys = ({ narrator, narrators }: Session): ReadonlySet<NameKey> => {
  const field = narrator ?? ''
  return keysOf([field, ...narrators, ...splitNarrators(field), ...namesInField(field)])
}

const intelTexts = (target: string): ReadonlyArray<string> => {
  const { text } = intelTargetOf(target)
  return [text, ...text.split(',')]
}

/** Names in the effects of a session: Zmiany with their owners, sides of Transfers, PU, Intel targets. */
const effectKeys = ({ changes, transfers, points, intel }: Session): ReadonlySet<NameKey> =>
  keysOf([
    ...changes.flatMap(({ entity, tags }) => [
      entity,
      ...tags.filter(({ tag }) => tag === 'należy_do').map(({ value }) => splitRange(value).text),
    ]),
    ...transfers.flatMap(({ source, destination }) => [source, destination]),
    ...points.map(({ character }) => character),
    ...intel.flatMap(({ target }) => intelTexts(target)),
  ])

/** A name in a session, and its words without Polish marks; `start` is the first, or empty. */
export interface UsedName {
  readonly key: NameKey
  readonly start: string
  readonly words: ReadonlyArray<string>
}

const toUsed = (keys: ReadonlySet<NameKey>): ReadonlyArray<UsedName> =>
  [...keys].map(key => {
    const words = bareWordsOfKey(key)
    return { key, start: words[0] ?? '', words }
  })

const usesIn = perValue((session: Session) => {
  const [narrators, effects] = [narratorKeys(session), effectKeys(session)]
  return { narrators, effects, narratorNames: toUsed(narrators), effectNames: toUsed(effects) }
})

/** Number of sessions that use a name in their narrator field, and in their effects. */
export interface SessionUses {
  readonly narrators: number
  readonly effects: number
}

/**
 * Counts the sessions that use a name, in one pass; the names of each session are collected once. `recorded`
 * are the keys of closed sessions whose effects mean a block of that heading.
 */
export const countSessionUses = (
  sessions: ReadonlyArray<Session>,
  key: NameKey,
  recorded: ReadonlySet<NameKey>,
): SessionUses => {
  const named = sessions.filter(one => usesIn(one).effects.has(key))
  const keys = new Set(named.map(ledgerKeyOf))
  return {
    narrators: sessions.filter(one => usesIn(one).narrators.has(key)).length,
    effects: named.length + [...recorded].filter(one => !keys.has(one)).length,
  }
}

const memoize = (accepts: (key: NameKey) => boolean): ((key: NameKey) => boolean) => {
  const known = new Map<NameKey, boolean>()
  return key => {
    const found = known.get(key) ?? accepts(key)
    known.set(key, found)
    return found
  }
}

/** Which names in sessions may be forms of a name. */
export interface FormTest {
  /** The words that such a name begins with; with null, every name is tested. */
  readonly starts: ReadonlySet<string> | null
  readonly isForm: (used: UsedName) => boolean
}

/** The names of one kind in a session: those as written, and each with what a form needs to be recognised. */
type NamesUsed = (
  session: Session,
) => readonly [written: ReadonlySet<NameKey>, names: ReadonlyArray<UsedName>]

const countUsesOfForms =
  (namesOf: NamesUsed) =>
  (
    sessions: ReadonlyArray<Session>,
    key: NameKey,
    { starts, isForm }: FormTest,
    counts: (key: NameKey) => boolean,
  ): number => {
    const isUsed = memoize(counts)
    return sessions.filter(one => {
      const [written, names] = namesOf(one)
      return (
        names.some(used => (starts === null || starts.has(used.start)) && isForm(used) && isUsed(used.key)) &&
        !written.has(key)
      )
    }).length
  }

/**
 * Counts the sessions with an effect that names a form of the name `key` which `counts` accepts, and none that
 * names `key` itself. Asks `counts` once about each name.
 */
export const countFormUses = countUsesOfForms(session => {
  const { effects, effectNames } = usesIn(session)
  return [effects, effectNames]
})

/** As `countFormUses`, of the names in narrator fields. */
export const countNarratorUses = countUsesOfForms(session => {
  const { narrators, narratorNames } = usesIn(session)
  return [narrators, narratorNames]
})
