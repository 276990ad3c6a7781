import { type Day, nameKey } from '#protocol/atoms.js'
import type { FileChange } from '#src/domain/lore/changes.js'
import type { Finding } from '#src/domain/lore/finding.js'
import { roleOf } from '#src/domain/lore/layout.js'
import { contributorsPath } from '#src/domain/people/roster.js'
import { changesTo } from './adopted-tree.js'
import { blockKey, planContributors, planIndex } from './block-plans.js'
import { characterBlock, entityBlock, type PlannedBlock, personBlock } from './blocks.js'
import { type Document, documentsIn, planCharacterFiles, topicsOfFile } from './character-files.js'
import type { Sources, Tree } from './legacy/manifest.js'
import type { LegacyCharacter, LegacyPlayer } from './legacy/overlay.js'
import type { LegacyLabels } from './legacy/roster.js'
import type { LegacyRead } from './legacy-read.js'

/** Contributor store, index and character files of an adoption (FORMATS 9, steps 5 to 7). */
export interface Emitted {
  readonly changes: ReadonlyArray<FileChange>
  readonly preserved: number
  readonly findings: ReadonlyArray<Finding>
}

export interface EmissionContext {
  readonly today: Day
  readonly labels: LegacyLabels
  /**
   * Whether the repository was adopted before. Adoption then keeps later changes by people and writes only
   * what is new.
   */
  readonly stamped: boolean
}

/** Plans the files of the new layout; existing blocks and lines are never rewritten. */
export const emitFiles = (
  tree: Tree,
  sources: Sources,
  legacy: LegacyRead,
  context: EmissionContext,
): Emitted => {
  const characters = charactersOf(tree, sources, legacy, context)
  const people = peopleBlocks(legacy, characters, context.labels)
  const blocks = indexBlocks(legacy, characters, context)
  const indexFiles = [...tree].filter(([path]) => roleOf(path) === 'index').map(([, file]) => file)
  const index = planIndex(indexFiles, blocks, context.stamped)
  const store = planContributors(tree.get(contributorsPath), people, context.stamped)
  const fresh = characters.filter(
    ({ block }) => !context.stamped || !index.standing.has(blockKey(block.type, block.heading)),
  )
  const files = planCharacterFiles(tree, fresh)
  return {
    changes: [
      ...changesTo(tree, store.text === null ? [] : [[contributorsPath, store.text] as const]),
      ...changesTo(tree, index.texts),
      ...files.changes,
    ],
    preserved: index.preserved + store.preserved,
    findings: [
      ...people.flatMap(block => block.findings),
      ...blocks.flatMap(block => block.findings),
      ...store.findings,
      ...index.findings,
      ...files.findings,
    ],
  }
}

interface Read {
  readonly character: LegacyCharacter
  readonly document: Document
  readonly block: PlannedBlock
}

const charactersOf = (
  tree: Tree,
  sources: Sources,
  legacy: LegacyRead,
  context: EmissionContext,
): ReadonlyArray<Read> => {
  const documentOf = documentsIn(tree, sources.manifest)
  return legacy.people.characters.flatMap(character => {
    const { place } = character
    if (place === null) return []
    const document = documentOf(character)
    const link = document._tag === 'Elsewhere' ? document.file.path : null
    const block = characterBlock(character, place, link, context.labels, context.today)
    return [{ character, document, block }]
  })
}

const peopleBlocks = (
  legacy: LegacyRead,
  characters: ReadonlyArray<Read>,
  labels: LegacyLabels,
): ReadonlyArray<PlannedBlock> => {
  const documents = new Map(characters.map(({ character, document }) => [character, document]))
  const topics = (player: LegacyPlayer): ReadonlyArray<string> =>
    player.characters.flatMap(character => topicsOfFile(documents.get(character) ?? { _tag: 'None' }))
  return legacy.people.players.flatMap(player => personBlock(player, topics(player), labels) ?? [])
}

/** Index blocks in the order of the registry, then those of characters that only the roster has. */
const indexBlocks = (
  legacy: LegacyRead,
  characters: ReadonlyArray<Read>,
  context: EmissionContext,
): ReadonlyArray<PlannedBlock> => {
  const ofCharacters = new Map(characters.map(({ character, block }) => [nameKey(character.name), block]))
  const ofRegistry = legacy.registry.entities
    .filter(entity => entity.type !== 'Gracz')
    .map(entity => {
      const character = entity.type === 'Postać' ? ofCharacters.get(nameKey(entity.name)) : undefined
      return character ?? entityBlock(entity, context.labels, context.today)
    })
  const rosterOnly = characters.filter(({ character }) => character.entity === null)
  return [...ofRegistry, ...rosterOnly.map(({ block }) => block)]
}
