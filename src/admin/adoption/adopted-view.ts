import type { EntityType } from '#protocol/atoms/vocabulary.js'
import { roleOf } from '#src/corpus/layout.js'
import { entitiesOf } from '#src/entities/entities.js'
import type { Entities } from '#src/entities/entity.js'
import { parseIndexFile } from '#src/entities/index-file.js'
import { perValue } from '#src/lore/per-value.js'
import { nameIndexOf } from '#src/names/name-index.js'
import { parseContributorStore } from '#src/people/contributor-store.js'
import type { People } from '#src/people/person.js'
import { contributorsPath } from '#src/people/roster-store.js'
import { closeLedgerPath, parseCloseLedger } from '#src/sessions/close-ledger.js'
import type { ClosingGround } from '#src/sessions/closing/record-meaning.js'
import { overlaid } from '#src/sessions/effects/overlay.js'
import { mergeSessions } from '#src/sessions/merging/merge.js'
import { parseSessionFile } from '#src/sessions/reading/session-file.js'
import type { Sessions } from '#src/sessions/session.js'
import type { Tree } from './sources.js'

/** Trees of several commits share most files: each is parsed once. */
const readSessions = perValue(parseSessionFile)
const readIndex = perValue(parseIndexFile)

/** The sessions of a tree, as the snapshot will read them; files given are left out. */
export const sessionsIn = (tree: Tree, without: ReadonlySet<string>): Sessions => {
  const paths = [...tree.keys()].filter(path => roleOf(path) === 'sessions' && !without.has(path)).sort()
  return mergeSessions(
    paths.flatMap(path => {
      const file = tree.get(path)
      return file === undefined ? [] : [readSessions(file)]
    }),
  )
}

/** What closing reads of a tree. */
export const closingGroundOf = (tree: Tree): ClosingGround => ({
  base: entitiesIn(tree).entities,
  sessions: sessionsIn(tree, new Set()),
  closeLedger: parseCloseLedger(tree.get(closeLedgerPath) ?? null),
})

/** People and entities as the adopted files say them; `state` has what closed sessions add. */
export interface AdoptedView {
  readonly people: People
  readonly entities: Entities
  readonly state: Entities
}

const entitiesIn = (tree: Tree): Pick<AdoptedView, 'people' | 'entities'> => {
  const people = parseContributorStore(tree.get(contributorsPath) ?? null)
  const paths = [...tree.keys()].filter(path => roleOf(path) === 'index').sort()
  const index = paths.flatMap(path => {
    const file = tree.get(path)
    return file === undefined ? [] : [readIndex(file)]
  })
  const fileAt = (path: string) => tree.get(path.normalize('NFC')) ?? null
  return { people, entities: entitiesOf(index, { people, fileAt }) }
}

/** Reads the adopted tree with the daemon's own parsers: counts and parity tell of what will be served. */
export const adoptedView = (tree: Tree, sessions: Sessions): AdoptedView => {
  const { people, entities } = entitiesIn(tree)
  const ledger = parseCloseLedger(tree.get(closeLedgerPath) ?? null)
  const state = overlaid(entities, nameIndexOf(entities), sessions, ledger).entities
  return { people, entities, state }
}

/** How many people and blocks there are, by the words of A 4.5. */
export const countsOf = ({ people, entities }: AdoptedView) => {
  const of = (type: EntityType): number => entities.byType.get(type)?.length ?? 0
  return {
    players: people.all.length,
    characters: of('Postać'),
    npc: of('NPC'),
    locations: of('Lokacja'),
    maps: of('Mapa'),
  }
}
