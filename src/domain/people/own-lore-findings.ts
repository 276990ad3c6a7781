import { bounds } from '#protocol/bounds.js'
import type { Finding } from '#src/domain/lore/finding.js'
import type { Characters } from './characters/characters.js'
import { bytesOfCharacters, type LoreFiles } from './own-lore.js'
import type { People, Person } from './person.js'

const personFinding = (person: Person, kind: string, reason: string, suggestion: string): Finding => ({
  kind,
  severity: 'info',
  file: person.file,
  line: person.line,
  subject: person.name,
  reason,
  suggestion,
})

/**
 * Findings for Gracze whose Postacie exceed a bound on what players write themselves (D64). All of it is
 * still read; only the player's own writes that add to it are refused.
 */
export const ownLoreFindings = (
  lore: LoreFiles,
  people: People,
  { byOwner }: Characters,
): ReadonlyArray<Finding> =>
  people.all.flatMap(person => {
    const blocks = (byOwner.get(person.key) ?? []).map(({ entity }) => entity)
    const bytes = bytesOfCharacters(lore, blocks)
    const { ownCharacters, ownBytes } = bounds
    return [
      ...(blocks.length > ownCharacters.limit
        ? [
            personFinding(
              person,
              'OwnCharactersAboveBound',
              `Gracz ma więcej Postaci (${blocks.length}), niż może sam utworzyć (${ownCharacters.limit}).`,
              'Kolejną Postać tworzy narrator.',
            ),
          ]
        : []),
      ...(bytes > ownBytes.limit
        ? [
            personFinding(
              person,
              'OwnLoreAboveBound',
              `Bloki i pliki Postaci gracza mają więcej bajtów (${bytes}), niż może sam zapisać (${ownBytes.limit}).`,
              'Skróć wpisy; do tego czasu dopisywać może tylko narrator.',
            ),
          ]
        : []),
    ]
  })
