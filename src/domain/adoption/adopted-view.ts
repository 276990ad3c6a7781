import type { EntityType } from '#protocol/atoms.js'
import { perValue } from '#src/domain/caching/per-value.js'
import { buildEntitiesInSlices } from '#src/domain/entities/entities.js'
import type { Entities } from '#src/domain/entities/entity.js'
import { parseIndexFile } from '#src/domain/entities/reading/index-file.js'
import { roleOf } from '#src/domain/lore/layout.js'
import { ensureNameIndexInSlices } from '#src/domain/names/name-index.js'
import type { People } from '#src/domain/people/person.js'
import { parseContributorStore } from '#src/domain/people/store/contributor-store.js'
import { contributorsPath } from '#src/domain/people/store/roster-store.js'
import { closeLedgerPath, parseCloseLedgerInSlices } from '#src/domain/sessions/close-ledger.js'
import type { ClosingGround } from '#src/domain/sessions/closing/record-meaning.js'
import { buildOverlayInSlices } from '#src/domain/sessions/effects/overlay.js'
import { mergeSessionsInSlices } from '#src/domain/sessions/merging/merge.js'
import { parseSessionFile } from '#src/domain/sessions/reading/session-file.js'
import type { Sessions } from '#src/domain/sessions/session.js'
import { atOnce, type Sliced } from '#src/domain/slicing/sliced.js'
import type { Tree } from './sources.js'

/** Trees of several commits share most files, so each file is parsed once. */
const readSessions = perValue(parseSessionFile)
const readIndex = perValue(parseIndexFile)

/**
 * The sessions of a tree, as the snapshot will parse them, without the given files. Yields after each file.
 */
export const readSessionsInSlices = function* (tree: Tree, without: ReadonlySet<string>): Sliced<Sessions> {
  const files: Array<ReturnType<typeof readSessions>> = []
  for (const path of [...tree.keys()].filter(one => roleOf(one) === 'sessions' && !without.has(one)).sort()) {
    const file = tree.get(path)
    if (file !== undefined) files.push(readSessions(file))
    yield
  }
  return yield* mergeSessionsInSlices(files)
}

/** The inputs of closing, from a tree. */
export const closingGroundInSlices = function* (tree: Tree): Sliced<ClosingGround> {
  const base = (yield* entitiesIn(tree)).entities
  return {
    base,
    names: yield* ensureNameIndexInSlices(base),
    sessions: yield* readSessionsInSlices(tree, new Set()),
    closeLedger: yield* parseCloseLedgerInSlices(tree.get(closeLedgerPath) ?? null),
  }
}

/** Runs `closingGroundInSlices` to its end without yielding. */
export const closingGroundOf = (tree: Tree): ClosingGround => atOnce(closingGroundInSlices(tree))

/** People and entities of the adopted files; `state` includes the effects of closed sessions. */
export interface AdoptedView {
  readonly people: People
  readonly entities: Entities
  readonly state: Entities
}

const entitiesIn = function* (tree: Tree): Sliced<Pick<AdoptedView, 'people' | 'entities'>> {
  const people = parseContributorStore(tree.get(contributorsPath) ?? null)
  const paths = [...tree.keys()].filter(path => roleOf(path) === 'index').sort()
  const index: Array<ReturnType<typeof readIndex>> = []
  for (const path of paths) {
    const file = tree.get(path)
    if (file !== undefined) index.push(readIndex(file))
    yield
  }
  const fileAt = (path: string) => tree.get(path.normalize('NFC')) ?? null
  return { people, entities: yield* buildEntitiesInSlices(index, { people, fileAt }) }
}

/**
 * Parses the adopted tree with the daemon's own parsers, so that counts and parity describe what will be
 * served.
 */
export const buildViewInSlices = function* (tree: Tree, sessions: Sessions): Sliced<AdoptedView> {
  const { people, entities } = yield* entitiesIn(tree)
  const ledger = yield* parseCloseLedgerInSlices(tree.get(closeLedgerPath) ?? null)
  const names = yield* ensureNameIndexInSlices(entities)
  const { entities: state } = yield* buildOverlayInSlices(entities, names, sessions, ledger)
  return { people, entities, state }
}

/** Number of people and blocks, under the field names of A 4.5. */
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
