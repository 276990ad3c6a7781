import { type NameKey, nameKey } from '#protocol/atoms/name.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { namesInField, splitNarrators } from '#src/domain/lore/narrator-field.js'
import { splitRange } from '#src/domain/lore/rows/range.js'
import { bareWordsOfKey, type PossibleForms } from '#src/domain/names/reach/possible-forms.js'
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

/** A name in a session, and its words without Polish marks. */
export interface UsedName {
  readonly key: NameKey
  readonly words: ReadonlyArray<string>
}

const toUsed = (keys: ReadonlySet<NameKey>): ReadonlyArray<UsedName> =>
  [...keys].map(key => ({ key, words: bareWordsOfKey(key) }))

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
  recorded: ReadonlySet<string>,
): SessionUses => {
  const named = sessions.filter(one => usesIn(one).effects.has(key))
  const keys = new Set(named.map(one => one.key))
  return {
    narrators: sessions.filter(one => usesIn(one).narrators.has(key)).length,
    effects: named.length + [...recorded].filter(one => !keys.has(one)).length,
  }
}

const memoize = (accepts: (used: UsedName) => boolean): ((used: UsedName) => boolean) => {
  const known = new Map<NameKey, boolean>()
  return used => {
    const found = known.get(used.key) ?? accepts(used)
    known.set(used.key, found)
    return found
  }
}

/**
 * Counts the sessions with an effect that names a form of the name `key` (`forms`) which `counts` accepts, and
 * none that names `key` itself. Asks `counts` once about each name.
 */
export const countFormUses = (
  sessions: ReadonlyArray<Session>,
  key: NameKey,
  forms: PossibleForms,
  counts: (key: NameKey) => boolean,
): number => {
  const isUsed = memoize(used => counts(used.key))
  return sessions.filter(one => {
    const { effects, effectNames } = usesIn(one)
    return !effects.has(key) && effectNames.some(used => forms.hasWords(used.words) && isUsed(used))
  }).length
}

/**
 * Counts the sessions with a name in the narrator field which `counts` accepts, and none that is `key` itself. Asks
 * `counts` once about each name.
 */
export const countNarratorUses = (
  sessions: ReadonlyArray<Session>,
  key: NameKey,
  counts: (used: UsedName) => boolean,
): number => {
  const isUsed = memoize(counts)
  return sessions.filter(one => {
    const { narrators, narratorNames } = usesIn(one)
    return !narrators.has(key) && narratorNames.some(isUsed)
  }).length
}
