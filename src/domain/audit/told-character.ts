import { nameKey, type RepoPath } from '#protocol/atoms.js'
import { headingOf } from '#src/domain/lore/blocks/blocks.js'
import { linesOf } from '#src/domain/lore/lines/lines.js'
import { lineText, placeEntries, type SectionBody } from '#src/domain/people/characters/section-body.js'
import { sectionsOf } from '#src/domain/people/characters/sections.js'
import { describeValue, type Told, type ToldValue } from './told.js'

const lists: ReadonlySet<string> = new Set(['przedmioty specjalne', 'reputacja', 'dodatkowe informacje'])

const ofSection = (section: string, body: SectionBody): ReadonlyArray<ToldValue> => {
  const withheld = section === 'tematy zastrzeżone' ? 'restricted' : null
  const inline = body.inline === '' ? [] : [body.inline]
  if (lists.has(section))
    return [...inline, ...placeEntries(body).map(entry => entry.text)].map(text =>
      describeValue(section, text, text, withheld),
    )
  const text = [...inline, ...body.lines.map(lineText)].join('\n').trim()
  return text === '' ? [] : [describeValue(section, text, '', withheld)]
}

/** The one character of a character file, by its sections (FORMATS 3). */
export const describeCharacter = (text: string, path: RepoPath): ReadonlyArray<Told> => {
  const name = headingOf(path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/iu, ''))
  const { bodies, described } = sectionsOf(linesOf(text).lines)
  const values = [
    ...[...bodies].flatMap(([section, body]) => ofSection(section, body)),
    ...described.map(one => describeValue('opisane sesje', one.text)),
  ]
  return [{ kind: 'character', name, key: nameKey(name), values }]
}
