import { readHeader, splitNarrators } from '#src/domain/lore/session-header.js'
import { foldNarrator, narratorsOf } from '#src/domain/sessions/reading/narrators.js'
import { acceptance, fixtureText, textAt, textsAt } from '#test/support/acceptance.js'
import { adoptTexts } from '#test/support/legacy/adoption.js'
import type { Fields } from '#test/support/matching.js'
import { sessionFields, sessionsOfFixtures } from '#test/support/session-cases.js'
import { day, hostConfig, worldOf } from '#test/support/world.js'

const today = day('2026-06-15')

const indexOf = (input: Fields) => {
  if (!('index' in input)) return worldOf({}).names
  return worldOf(
    adoptTexts({
      'Gracze.md': fixtureText('Gracze.md'),
      'entities.md': fixtureText('entities.md'),
      'Rejestr/nowe-100-ent.md': fixtureText('entities-100-ent.md'),
      'Rejestr/nowe-200-ent.md': fixtureText('entities-200-ent.md'),
    }),
  ).names
}

const run = (input: Fields): unknown => {
  const raw = textAt(input, 'rawNarrator')
  if (raw !== null) return { split: splitNarrators(raw) }
  const [names, query, fixture] = [indexOf(input), textAt(input, 'query'), textAt(input, 'fixture')]
  const lore = { names, config: hostConfig(undefined) }
  if (query !== null) {
    const folded = foldNarrator(lore, query, today)
    return folded._tag === 'Person'
      ? { player: folded.name, confidence: folded.sure ? 'High' : 'Medium' }
      : null
  }
  if (fixture !== null)
    return { sessions: sessionsOfFixtures([fixture]).all.map(session => sessionFields(session, names)) }
  return {
    results: textsAt(input, 'headers').map(header => {
      const read = readHeader(header)
      const field = read._tag === 'Session' ? read.header.narrator : null
      const { council, persons, confidence } = narratorsOf(lore, field, today)
      return { isCouncil: council, narrators: persons, confidence }
    }),
  }
}

acceptance('narrators', { run })
