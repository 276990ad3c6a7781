import { nameKey } from '#protocol/atoms/name.js'
import { valuesOn } from '#src/lore/on-day.js'
import { splitRange } from '#src/lore/range.js'
import type { CharacterFile } from '#src/people/character-file.js'
import { mergedTier, mergedValues } from '#src/people/character-state.js'
import { parseCharacterFile } from '#src/people/parse-character-file.js'
import { acceptance, fieldsAt, fixtureText, textAt, textsAt } from '#test/support/acceptance.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { day, sourceFile } from '#test/support/world.js'

const asCases = (file: CharacterFile): Fields => ({
  characterSheet: file.sheet,
  restrictedTopics: file.restrictedTopics,
  condition: file.condition,
  specialItems: file.specialItems,
  reputation: file.reputation,
  additionalNotes: file.additionalInfo,
  describedSessions: file.describedSessions,
  'describedSessions.narrator(distinct)': [
    ...new Set(file.describedSessions.map(one => nameKey(one.narrator ?? ''))),
  ],
})

/** Overrides as rows of a block, all of one tag. */
const overridden = (merge: Fields): ReadonlyArray<string> => {
  const source = { _tag: 'Session', header: 'h' } as const
  const rows = textsAt(merge, 'overrides').map((text, at) => {
    const { text: value, range } = splitRange(text)
    return { tag: 'x', value, range, auto: false, line: at + 1, endLine: at + 1, source }
  })
  return valuesOn(rows, 'x', day('2025-07-01'))
}

const merged = (merge: Fields): Fields => {
  const tier = merge['charFileTier']
  if (!Array.isArray(tier)) return { values: mergedValues(textsAt(merge, 'charFile'), overridden(merge)) }
  const base = tier.filter(isFields).map(one => ({
    location: textAt(one, 'location') ?? '',
    detail: textAt(one, 'detail'),
  }))
  const entries = mergedTier(base, overridden(merge))
  return { tier: entries, 'tier.location': entries.map(one => one.location) }
}

const run = (input: Fields): unknown => {
  const merge = fieldsAt(input, 'merge')
  if (merge !== null) return merged(merge)
  const fixture = textAt(input, 'fixture')
  return fixture === null
    ? null
    : asCases(parseCharacterFile(sourceFile(`Postaci/Gracze/${fixture}`, fixtureText(fixture))))
}

const later = 'writes a character file: the info routes and adoption are later issues'

acceptance('charfile', {
  run,
  pending: Object.fromEntries(
    [
      'charfile-022',
      'charfile-023',
      'charfile-024',
      'charfile-040',
      'charfile-041',
      'charfile-043',
      'charfile-057',
      'charfile-058',
      'charfile-059',
      'charfile-062',
    ].map(id => [id, later]),
  ),
})
