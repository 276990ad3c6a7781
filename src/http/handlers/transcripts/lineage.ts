import { isLeft, left, right } from 'fp-ts/lib/Either.js'
import { refuse } from '#protocol/refusal.js'
import type { Lineage, lineageRoutes } from '#protocol/transcripts/lineage.js'
import type { Entity } from '#src/domain/entities/entity.js'
import {
  guard,
  type Membership,
  membershipsOf,
  type Origin,
  statedLineage,
  type WitnessIndex,
  type WitnessLine,
  witnessesOf,
} from '#src/domain/lineage/lineage.js'
import { runWithPauses } from '#src/domain/slicing/sliced.js'
import { daemonBreather } from '#src/kernel/work-scheduler.js'
import type { Host } from '#src/ports/host.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { Handlers } from '../../routing/handler.js'
import { findBlock } from '../entities.js'

/** What the row of lineages needs of a node. */
export type LineageNode = Pick<Host, 'evidence' | 'hasSampleStore'>

/** What the corpus shows of the lineage of an entity; it never writes (B 4.1). */
export const lineageHandlers: Handlers<typeof lineageRoutes, LineageNode> = {
  'entities.lineage.get': async ({ path, query, snapshot, node }) => {
    const found = findBlock({ path, query, snapshot })
    if (isLeft(found)) return found
    const evidence = await node.evidence(snapshot, AbortSignal.timeout(evidenceMs))
    if (evidence === null) return left(refuse('Starting', notReady))
    const witnesses = await runWithPauses(witnessesOf(evidence), daemonBreather())
    const { entity } = found.right
    return right({
      body: lineageOf(snapshot, entity, {
        witnesses,
        origin: evidence.origins.get(entity) ?? null,
        store: node.hasSampleStore(),
      }),
    })
  },
}

/** How long a request waits for what is read of changed transcripts. */
const evidenceMs = 30_000

const notReady = 'The index of transcripts is not built yet. Try again after the seconds of Retry-After.'

interface Shown {
  readonly witnesses: WitnessIndex
  readonly origin: Origin | null
  readonly store: boolean
}

const lineageOf = (snapshot: Snapshot, entity: Entity, { witnesses, origin, store }: Shown): Lineage => {
  const { names, day } = snapshot
  const memberships = membershipsOf(entity, witnesses.byPerson.get(entity) ?? [], snapshot)
  const lore = statedLineage(entity, names, day)
  const isShown = origin !== null && origin.sessions >= guard.sessions && origin.logs >= guard.logs
  return {
    name: entity.name,
    type: entity.type,
    origin:
      origin === null
        ? null
        : { session: origin.session, date: origin.date, how: origin.how, text: origin.line.text },
    originProposal: isShown && lore.pochodzenie === null ? origin.session : null,
    memberships: memberships.map(membershipAnswer),
    members: entity.type === 'Grupa' ? membersOf(entity, witnesses) : [],
    lore,
    store,
    guard,
  }
}

const membershipAnswer = ({ group, witnesses, ...rest }: Membership): Lineage['memberships'][number] => ({
  ...rest,
  group: group.name,
  groupType: group.type,
  witnesses: witnesses.map(({ line }) => ({
    session: line.sessions[0]?.header ?? '',
    log: line.log,
    text: line.text,
  })),
})

/** The entities that witnesses place in a group, by name. */
const membersOf = (group: Entity, { byPerson }: WitnessIndex): ReadonlyArray<string> =>
  [...byPerson]
    .filter(([, all]: readonly [Entity, ReadonlyArray<WitnessLine>]) =>
      all.some(({ witness }) => witness.group.entity === group),
    )
    .map(([{ name }]) => name)
    .sort()
