import unhomoglyph from 'unhomoglyph'
import { type NameKey, nameKey, nfc } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { homonymsMax } from '#src/domain/entities/entities.js'
import type { Entities, Entity, Owners } from '#src/domain/entities/entity.js'
import { genericNames } from '#src/domain/entities/reading.js'
import { nameTags, spellingIn } from '#src/domain/lore/rows/rows.js'

/** Whether a name has only printable ASCII and Polish letters. Two such names never count as look-alikes. */
export const isPlainName = (name: string): boolean => plain.test(name) || plain.test(nfc(name))

/**
 * The skeletons of a name (UTS 39 over NFKC), one with its capitals and one in lower case: `В` looks like `B`, but `в`
 * not like `b`; `ı` like `i`, but `I` like `l`. They are equal for a plain name.
 */
export const skeletonsOf = (name: string): ReadonlySet<string> => {
  if (isPlainName(name)) return new Set([skeletonOfPlain(nameKey(name))])
  const text = compatible(name)
  return new Set([foldedSkeleton(text), foldedSkeleton(text.toLowerCase())])
}

/** Whether two names differ in a character that is neither printable ASCII nor Polish, and have a common skeleton. */
export const looksLike = (name: string, other: string): boolean => {
  if (oddCharsOf(nameKey(name)) === oddCharsOf(nameKey(other))) return false
  const skeletons = skeletonsOf(other)
  return [...skeletonsOf(name)].some(one => skeletons.has(one))
}

/** A name of plain letters that a name with other ones looks like, in its capitals and in lower case. */
export const plainReadings = (name: string): ReadonlyArray<string> => {
  if (isPlainName(name)) return []
  const readChar = (char: string): string => {
    const prototype = unhomoglyph(char)
    return prototype === 'l' && char !== char.toLowerCase() ? 'I' : prototype
  }
  const text = compatible(name)
  const readings = [text, text.toLowerCase()].map(one =>
    nfc(one.replace(oddChar, readChar).replace(/([ij])\u0307+/gu, '$1')),
  )
  return [...new Set(readings)].filter(isPlainName)
}

/** A word with letters of several scripts. */
export interface MixedWord {
  readonly word: string
  readonly scripts: ReadonlyArray<string>
}

/**
 * The first word of a name that mixes scripts, such as Latin and Cyrillic; null when none does. Characters of the
 * scripts Common and Inherited belong to every script.
 */
export const mixedWordIn = (name: string): MixedWord | null => {
  if (isPlainName(name)) return null
  for (const [word] of nfc(name)
    .replace(ignorable, '')
    .matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const mixed = isPlainName(word) ? null : mixOf(word)
    if (mixed !== null) return mixed
  }
  return null
}

/** Every name of a block, of any day: its heading, its other spellings and its generic names. */
export const namesOfEntity = (
  entity: Entity,
): ReadonlyArray<{ readonly name: string; readonly line: number }> => [
  { name: entity.name, line: entity.line },
  ...entity.rows.flatMap(row => {
    const names =
      row.tag === 'generyczne_nazwy'
        ? genericNames({ rows: [row] })
        : nameTags.has(row.tag)
          ? [spellingIn(row)]
          : []
    const line = row.source._tag === 'File' && row.source.path === entity.file ? row.line : entity.line
    return names.flatMap(name => (name === null ? [] : [{ name, line }]))
  }),
]

/** Other blocks than `than` with a name that looks like the given one, at most 200. */
export const findLookAlikes = (
  { byHeading, byAlias, byGeneric }: Pick<Entities, 'byHeading' | 'byAlias' | 'byGeneric'>,
  name: string,
  than: Entity | null,
): ReadonlyArray<Entity> => {
  const odd = oddCharsOf(nameKey(name))
  const skeletons = skeletonsOf(name)
  const found = new Set<Entity>()
  for (const owners of [byHeading, byAlias, byGeneric])
    for (const key of keysWith(owners, skeletons, odd !== ''))
      for (const owner of oddCharsOf(key) === odd ? [] : (owners.get(key) ?? [])) {
        if (owner !== than) found.add(owner)
        if (found.size >= homonymsMax) return [...found]
      }
  return [...found]
}

/** The blocks with a name that has a character outside printable ASCII and the Polish letters. */
export const blocksWithOddNames = ({
  byHeading,
  byAlias,
  byGeneric,
}: Pick<Entities, 'byHeading' | 'byAlias' | 'byGeneric'>): ReadonlySet<Entity> =>
  new Set(
    [byHeading, byAlias, byGeneric].flatMap(owners =>
      [owners.base, owners.changes].flatMap(spellings =>
        [...indexOdd(spellings).values()].flat().flatMap(key => owners.get(key) ?? []),
      ),
    ),
  )

const plain = /^[ -~ĄąĆćĘęŁłŃńÓóŚśŹźŻż]*$/u
const plainChars = /[ -~ĄąĆćĘęŁłŃńÓóŚśŹźŻż]+/gu
const oddChar = /[^ -~ĄąĆćĘęŁłŃńÓóŚśŹźŻż]/gu

/** The characters of a name that are neither printable ASCII nor Polish letters. */
const oddCharsOf = (key: NameKey): string => key.replace(plainChars, '')

const ignorable = /\p{Default_Ignorable_Code_Point}/gu
const blanks = /\s+/gu

/** NFKC, which turns fullwidth and mathematical letters and ligatures into plain ones; without invisible characters. */
const compatible = (name: string): string =>
  name.normalize('NFKC').replace(ignorable, '').replace(blanks, ' ').trim()

/** A dot above a letter that has one already. */
const secondDot = /([jl]\p{M}*?)\u0307+/gu

/** The prototypes of UTS 39; the table has no prototype of a text, so each character is looked up. */
const prototypesOf = (text: string): string => unhomoglyph(text.normalize('NFD')).normalize('NFD')

/**
 * A skeleton without case. `I` has the prototype `l`, and without case `i` is the same letter, so both become `l`.
 */
const foldedSkeleton = (text: string): string =>
  prototypesOf(prototypesOf(text).toLowerCase()).replaceAll('i', 'l').replace(secondDot, '$1')

/** The characters of plain keys that a skeleton changes: a plain name needs neither the table nor normal forms. */
const plainPrototypes: ReadonlyMap<string, string> = new Map(
  Array.from({ length: 0x17f }, (_, code) => String.fromCharCode(code))
    .filter(char => isPlainName(char) && char === char.toLowerCase())
    .map(char => [char, foldedSkeleton(char)]),
)

const skeletonOfPlain = (key: NameKey): string =>
  key.replace(/[^a-hj-ln-z ]/gu, char => plainPrototypes.get(char) ?? char)

/**
 * The scripts that UAX 31 recommends for names. Those of China, Japan and Korea are written together, so they count as
 * one, and so do all that are not listed.
 */
const scripts: ReadonlyArray<readonly [name: string, has: RegExp]> = [
  ['Latin', /\p{scx=Latn}/u],
  ['Cyrillic', /\p{scx=Cyrl}/u],
  ['Greek', /\p{scx=Grek}/u],
  ['Arabic', /\p{scx=Arab}/u],
  ['Armenian', /\p{scx=Armn}/u],
  ['Bengali', /\p{scx=Beng}/u],
  ['Devanagari', /\p{scx=Deva}/u],
  ['East Asian', /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}]/u],
  ['Ethiopic', /\p{scx=Ethi}/u],
  ['Georgian', /\p{scx=Geor}/u],
  ['Gujarati', /\p{scx=Gujr}/u],
  ['Gurmukhi', /\p{scx=Guru}/u],
  ['Hebrew', /\p{scx=Hebr}/u],
  ['Kannada', /\p{scx=Knda}/u],
  ['Khmer', /\p{scx=Khmr}/u],
  ['Lao', /\p{scx=Laoo}/u],
  ['Malayalam', /\p{scx=Mlym}/u],
  ['Myanmar', /\p{scx=Mymr}/u],
  ['Oriya', /\p{scx=Orya}/u],
  ['Sinhala', /\p{scx=Sinh}/u],
  ['Tamil', /\p{scx=Taml}/u],
  ['Telugu', /\p{scx=Telu}/u],
  ['Thaana', /\p{scx=Thaa}/u],
  ['Thai', /\p{scx=Thai}/u],
  ['Tibetan', /\p{scx=Tibt}/u],
]

const isOfAnyScript = (char: string): boolean => /[\p{sc=Zyyy}\p{sc=Zinh}]/u.test(char)

const scriptsOf = (char: string): ReadonlyArray<string> => {
  const found = scripts.filter(([, has]) => has.test(char)).map(([name]) => name)
  return found.length > 0 ? found : ['other']
}

const mixOf = (word: string): MixedWord | null => {
  const sets = Array.from(word)
    .filter(char => !isOfAnyScript(char))
    .map(scriptsOf)
  const [first = []] = sets
  if (first.some(script => sets.every(set => set.includes(script))) || sets.length === 0) return null
  return { word, scripts: [...new Set(sets.flatMap(([script]) => script ?? []))] }
}

type Spellings = ReadonlyMap<NameKey, ReadonlyArray<Entity> | null>
type Skeletons = ReadonlyMap<string, ReadonlyArray<NameKey>>

const skeletonsOfKey = (key: NameKey, owners: ReadonlyArray<Entity>): ReadonlySet<string> => {
  const written = owners.flatMap(namesOfEntity).filter(({ name }) => nameKey(name) === key)
  return new Set(written.flatMap(({ name }) => [...skeletonsOf(name)]))
}

const indexKeys = (spellings: Spellings, wantsPlain: boolean): Skeletons => {
  const index = new Map<string, Array<NameKey>>()
  for (const [key, owners] of spellings) {
    if (owners === null || plain.test(key) !== wantsPlain) continue
    for (const skeleton of wantsPlain ? [skeletonOfPlain(key)] : skeletonsOfKey(key, owners)) {
      const known = index.get(skeleton)
      if (known === undefined) index.set(skeleton, [key])
      else known.push(key)
    }
  }
  return index
}

/**
 * The indexes live as long as the base of a map of owners, or its changes. A commit makes new changes, so it costs what
 * it changed. Plain names are indexed when a name with other characters is first looked up.
 */
const indexOdd = perValue((spellings: Spellings) => indexKeys(spellings, false))
const indexPlain = perValue((spellings: Spellings) => indexKeys(spellings, true))

const keysWith = (owners: Owners, skeletons: ReadonlySet<string>, odd: boolean): ReadonlyArray<NameKey> =>
  (odd ? [indexOdd, indexPlain] : [indexOdd]).flatMap(indexOf =>
    [...skeletons].flatMap(skeleton => [
      ...(indexOf(owners.base).get(skeleton) ?? []).filter(key => !owners.changes.has(key)),
      ...(indexOf(owners.changes).get(skeleton) ?? []),
    ]),
  )
