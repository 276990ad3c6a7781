import { type NameKey, nameKey } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import type { Entity } from '#src/domain/entities/entity.js'
import { aliasKeys } from '#src/domain/entities/reading.js'
import {
  bareWordsOfKey,
  type PossibleForms,
  possibleForms,
  resolveUpToForms,
} from '#src/domain/names/possible-forms.js'
import type { NameIndex, Resolution } from '#src/domain/names/resolution.js'
import { resolveName } from '#src/domain/names/resolve.js'
import type { Titles } from '#src/domain/polish/inflect.js'
import {
  countFormUses,
  countNarratorUses,
  type FormTest,
  type SessionUses,
  type UsedName,
} from '#src/domain/sessions/reading/mentions.js'
import { foldsByForm } from '#src/domain/sessions/reading/narrators.js'
import type { Session } from '#src/domain/sessions/session.js'

/** Whether a text that may be a form of a name means another block, or none, after the write. */
type IsChanged = (used: NameKey) => boolean

/** `IsChanged` of a name in an effect, and of one in a narrator field. */
export interface ChangedTexts {
  readonly effect: IsChanged
  readonly narrator: IsChanged
}

/** The texts that may be forms of a name, those of `odmiany.tsv` included. */
const formsWithCorrections = ({ language }: NameIndex, name: string): PossibleForms => {
  const corrections = language.forms.get(nameKey(name)) ?? []
  return possibleForms(
    name,
    corrections.filter(one => !one.isForbidden).map(one => one.form),
  )
}

/**
 * A text that means no block may mean the new bearer of a name. One that means another block by a form or by a single
 * word of its names may become ambiguous, or mean none.
 */
const mayGainEffects =
  (names: NameIndex, than: Entity | null): IsChanged =>
  used => {
    const { found, isForm } = resolveUpToForms(names, used)
    return found.stage === 'miss' || (isForm && found.candidates.some(one => one !== than))
  }

/**
 * A text that means the holder by a form of the name `key` may mean another block, or none, without that name. So may
 * a word that the holder shares with one other block, and that therefore means neither.
 */
const mayLoseEffects = (names: NameIndex, holder: Entity, key: NameKey): IsChanged => {
  const others = [holder.key, ...aliasKeys(holder)].filter(one => one !== key)
  const within = (entity: Entity): boolean => entity !== holder
  let rest: ReadonlyArray<PossibleForms> | null = null
  return used => {
    const { found, isForm } = resolveUpToForms(names, used)
    if (found.stage !== 'miss') return isForm && found.candidates.includes(holder)
    if (resolveName(names, used, { upTo: 'alternation', within }).stage === 'miss') return false
    rest ??= others.map(one => formsWithCorrections(names, one))
    return !rest.some(forms => forms.has(used))
  }
}

/** What a narrator means by a form of a Postać; null where another stage decides. */
const resolveNarrator = (names: NameIndex, used: NameKey): Resolution | null => {
  if (!foldsByForm(used)) return null
  const written = resolveName(names, used, { types: ['Gracz', 'Postać'], upTo: 'alias' })
  if (written.stage !== 'miss') return null
  if (resolveName(names, used, { types: ['Gracz'], upTo: 'lemma' }).entity !== null) return null
  return resolveName(names, used, { types: ['Postać'], upTo: 'lemma', wholeNames: true })
}

/** What changes when `than`, or a new block where it is null, gets a name. */
export const mayGain = (names: NameIndex, than: Entity | null): ChangedTexts => ({
  effect: mayGainEffects(names, than),
  narrator: used => {
    const found = resolveNarrator(names, used)
    return found !== null && (found.stage === 'miss' || found.candidates.some(one => one !== than))
  },
})

/** What changes when the holder loses the name `key`. */
export const mayLose = (names: NameIndex, holder: Entity, key: NameKey): ChangedTexts => ({
  effect: mayLoseEffects(names, holder, key),
  narrator: used => resolveNarrator(names, used)?.candidates.includes(holder) === true,
})

/** The words of titles without Polish marks. */
const titleWords = perValue(
  (titles: Titles): ReadonlySet<string> => new Set([...titles.keys()].flatMap(bareWordsOfKey)),
)
const noTitles: Titles = new Map()

const titlesMax = 3

/** What is left of the words behind one, two and three titles. */
const behindTitles = (
  titles: ReadonlySet<string>,
  words: ReadonlyArray<string>,
): ReadonlyArray<ReadonlyArray<string>> => {
  const first = words.slice(0, titlesMax).findIndex(word => !titles.has(word))
  const count = first < 0 ? Math.min(words.length, titlesMax) : first
  return Array.from({ length: count }, (_, at) => words.slice(at + 1))
}

/** Which names in narrator fields may be forms of the name: also behind titles, and by `lematy.tsv`. */
const narratorTest = (names: NameIndex, name: string, forms: PossibleForms): FormTest => {
  const [key, { lemmas }] = [nameKey(name), names.language]
  const titles = titleWords(names.forms?.titles ?? noTitles)
  const isForm = ({ key: used, words }: UsedName): boolean =>
    forms.hasWords(words) ||
    behindTitles(titles, words).some(forms.hasWords) ||
    lemmas.get(used)?.some(lemma => nameKey(lemma) === key) === true
  return { starts: lemmas.size > 0 ? null : new Set([...titles, ...forms.starts]), isForm }
}

/** Counts the sessions with an effect, and with a narrator, that means another block or none after the write. */
export const countFormsChanged = (
  names: NameIndex,
  sessions: ReadonlyArray<Session>,
  name: string,
  { effect, narrator }: ChangedTexts,
): SessionUses => {
  const [key, forms] = [nameKey(name), formsWithCorrections(names, name)]
  const effectTest: FormTest = { starts: forms.starts, isForm: used => forms.hasWords(used.words) }
  return {
    effects: countFormUses(sessions, key, effectTest, effect),
    narrators: countNarratorUses(sessions, key, narratorTest(names, name, forms), narrator),
  }
}
