import { equal } from 'node:assert/strict'
import { isLeft, right } from 'fp-ts/lib/Either.js'
import { type CapabilityId, capabilities } from '#protocol/atoms.js'
import { Adoption } from '#protocol/host/admin.js'
import type { RefusalTag } from '#protocol/refusal.js'
import { ordinaryStatus, queryOf, type Route } from '#protocol/route.js'
import { type GateState, gateRefusal } from '#src/domain/admin/gate-arms.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { bundles } from '#src/domain/identity/roles.js'
import { openLineageEvidence } from '#src/node/transcripts/lineage-evidence.js'
import type { RemoteSync } from '#src/ports/git.js'
import type { Host } from '#src/ports/host.js'
import type { ReadLogs } from '#src/ports/records.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import {
  contractFiles,
  contractInputs,
  contractWorld,
  olderCommit,
  servedCommit,
} from '#test/support/contract-world.js'
import {
  callerWith,
  nodeView,
  type TestFront,
  type TestFrontOptions,
  type TestHost,
  testFront,
} from '#test/support/front.js'
import type { Ask, Reply } from '#test/support/http-client.js'
import { sameChallenge } from '#test/support/identity/challenges.js'
import { sameKey } from '#test/support/identity/claims.js'
import { gameSignInWith } from '#test/support/identity/game-envelopes.js'
import { alwaysFirst } from '#test/support/identity/shown-id-tokens.js'
import { makeKeptEvents } from '#test/support/kept-events.js'
import { searchInMemory } from '#test/support/search/search-in-memory.js'
import { transcriptsInMemory } from '#test/support/transcripts.js'
import { readTuningOf } from '#test/support/tuning.js'

/** A sample, its row forgotten. */
export interface AnySample {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly needs?: ReadonlyArray<string>
  readonly apart?: ReadonlyArray<string>
  readonly oneOf?: ReadonlyArray<string>
  readonly body?: unknown
  readonly says: string
  readonly hidden?: RefusalTag
}

/** A row with its sample, as the generators take it. */
export interface Subject {
  readonly id: string
  readonly row: Route
  readonly sample: AnySample
}

/** Where rows are asked over the contract world. */
export interface Asking {
  readonly ask: (subject: Subject, query?: Pairs, ask?: Ask) => Promise<Reply>
  /** What a row is asked with besides, so that it leaves the world as it is: nothing, or a dry run. */
  readonly trial: (row: Route) => Pairs
  readonly close: () => Promise<void>
}

/** A front over the contract world whose world and gate a test can change. */
export interface Bench extends Asking {
  readonly world: Snapshot
  readonly serve: (snapshot: Snapshot | null) => void
  readonly gate: (state: Partial<GateState>) => void
}

export type Pairs = ReadonlyArray<readonly [name: string, value: string]>

const open: GateState = { format: 'Current', syncStale: false, mode: 'ReadWrite' }

const gracz = 'Brzoza'
const resourceAll = (capability: string): string => `${capability.slice(0, capability.indexOf('.'))}.all`

/** The tokens of callers for one capability. */
export const benchTokens = {
  plain: (capability: CapabilityId): string => `plain:${capability}`,
  all: (capability: CapabilityId): string => `all:${capability}`,
  own: (capability: CapabilityId): string => `own:${capability}`,
  /** Holds every other capability. */
  lacks: (capability: CapabilityId): string => `lacks:${capability}`,
}

/** What a caller holds besides: a key is made only for a person who may do no more, as for Brzoza, a Narrator. */
const besides = (capability: CapabilityId): ReadonlyArray<string> =>
  capability === 'apikey.manage' ? (bundles['narrator'] ?? []) : []

const brzoza = (capability: CapabilityId, id: string): Caller => ({
  ...callerWith([id, ...besides(capability)], gracz),
  gameId: '41001',
})

const callersOf = (capability: CapabilityId): ReadonlyArray<readonly [string, Caller]> => [
  [benchTokens.plain(capability), brzoza(capability, capability)],
  [benchTokens.all(capability), brzoza(capability, resourceAll(capability))],
  [benchTokens.own(capability), brzoza(capability, `${capability}.own`)],
  [
    benchTokens.lacks(capability),
    callerWith(
      capabilities.filter(one => !['admin.all', capability, `${capability}.own`].includes(one)),
      gracz,
    ),
  ],
]

const adoption: unknown = {
  Applied: true,
  Entities: { players: 2, characters: 2, npc: 1, locations: 3, maps: 0, preserved: 0 },
  SessionsObserved: 2,
  SessionRegistry: {
    Applied: true,
    Roots: 1,
    Files: { Written: 1, Unchanged: 0 },
    Sessions: { Total: 2, Placed: 2 },
  },
  Findings: [],
}

/** Adopts nothing and says so; that adoption itself works is told by its own tests. */
const adopts = () => {
  const answer = Adoption.decode(adoption)
  if (isLeft(answer)) throw new Error('the adoption of the bench has another shape')
  return Promise.resolve(right(answer.right))
}

/** One record in each stream. */
const logs: ReadLogs = stream =>
  Promise.resolve({ stream, count: 1, items: [{ seq: 1, at: '2026-06-15T12:00:00.000Z' }], next: null })

export const requestTargetOf = ({ row, sample }: Subject, query: Pairs): string => {
  const path = row.path.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(sample.path[name] ?? ''),
  )
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** A good value of each parameter that the row knows. */
export const goodPairs = ({ row, sample }: Subject): Pairs =>
  Object.keys(queryOf(row)).map(name => [name, sample.query[name] ?? 'true'])

/** A good value of each parameter that one request may have. */
export const goodPairsTogether = (subject: Subject): Pairs => {
  const [, ...others] = subject.sample.oneOf ?? []
  return goodPairs(subject).filter(
    ([name]) => !others.includes(name) && subject.sample.apart?.includes(name) !== true,
  )
}

/** What the row cannot do without, `other` and what it stands in for left out. */
export const collectNeededPairs = ({ sample }: Subject, other: string | null = null): Pairs => {
  const { needs = [], oneOf = [] } = sample
  const isLeftOut = (name: string): boolean =>
    name === other || (other !== null && oneOf.includes(other) && oneOf.includes(name))
  return needs.flatMap(name => (isLeftOut(name) ? [] : [[name, sample.query[name] ?? ''] as const]))
}

/** The method and the body of a row's sample, unless the ask has others. */
export const askOf = ({ row, sample }: Subject, ask: Ask): Ask => ({
  method: row.method,
  ...(row.body === null ? {} : { body: JSON.stringify(sample.body) }),
  ...ask,
})

const { sync: unsynced } = nodeView()
const sync: RemoteSync['sync'] = () => ({ ...unsynced(), enabled: true, lastAction: 'up_to_date' })
const converge: RemoteSync['converge'] = () =>
  Promise.resolve(right({ lastAction: 'up_to_date', lastDetail: null }))

/** What a bench has in place of the closed table and of the parts of its front and node. */
export interface BenchOptions
  extends Pick<TestFrontOptions, 'table' | 'handlers' | 'planners' | 'signInLimit' | 'readers' | 'kinds'> {
  readonly node?: Partial<TestHost>
}

/** Search over the contract world, whose indexes hold its commit. */
const contractSearch = async (): Promise<Pick<Host, 'misses' | 'search'>> => {
  const searching = await searchInMemory(contractInputs(), { stamp: `${servedCommit}.contract` })
  const asked = { day: contractWorld().day, person: null }
  await searching.search.record?.({
    query: 'Latarnik',
    tiers: ['lore'],
    total: 0,
    commit: servedCommit,
    ...asked,
  })
  return searching
}

/** A front over the contract world. */
export const benchOf = async ({ node = {}, ...served }: BenchOptions = {}): Promise<Bench> => {
  const world = contractWorld()
  const searching = await contractSearch()
  const events = makeKeptEvents()
  await events.add(3)
  const transcripts = transcriptsInMemory(world, contractFiles)
  let gateState = open
  const front: TestFront = await testFront({
    ...served,
    snapshot: world,
    callers: Object.fromEntries(capabilities.flatMap(callersOf)),
    node: nodeView({
      challenges: sameChallenge(),
      isFirstShowing: alwaysFirst,
      apiKeys: sameKey(),
      gameSignIn: gameSignInWith(),
      adopt: adopts,
      reindex: adopts,
      events: events.feed,
      logs,
      converge,
      accept: converge,
      sync,
      ...searching,
      transcripts,
      readTuning: readTuningOf(() => world),
      evidence: openLineageEvidence(transcripts, () => Promise.resolve()),
      ...node,
    }),
    keepsWrites: false,
    writtenCommit: servedCommit,
    containsCommit: commit => Promise.resolve(commit === olderCommit),
    gate: (_row, dryRun) => gateRefusal(gateState, dryRun),
  })
  return {
    world,
    ask: (subject, query = collectNeededPairs(subject), ask = {}) =>
      front.client.ask(requestTargetOf(subject, query), askOf(subject, ask)),
    trial: () => [],
    serve: front.serve,
    gate: state => {
      gateState = { ...open, ...state }
    },
    close: front.close,
  }
}

/** Whether the answer is the row's ordinary one; a dry run of a write is answered 200, or refused as the write is. */
export const isOrdinary = ({ row }: Subject, reply: Reply, dryRun = false): void => {
  const status = ordinaryStatus(row)
  equal(reply.status, dryRun && row.write && status < 300 ? 200 : status, reply.text)
}

/** Asks for the row's ordinary answer, in a way that leaves the world as it is, and sees whether it comes. */
export const ordinary = async (bench: Asking, subject: Subject, ask: Ask = {}): Promise<Reply> => {
  const trial = bench.trial(subject.row)
  const reply = await bench.ask(subject, [...collectNeededPairs(subject), ...trial], ask)
  isOrdinary(subject, reply, trial.length > 0)
  return reply
}

/** Whether the answer is a refusal of this name. */
export const checkRefused = (reply: Reply, status: number, error: string): void => {
  const body: unknown = reply.json
  const told =
    typeof body === 'object' && body !== null && 'error' in body ? body.error : reply.text.slice(0, 200)
  equal(`${reply.status} ${String(told)}`, `${status} ${error}`)
}

/** A field of a refusal's body. */
export const fieldOf = (reply: Reply, name: string): unknown =>
  typeof reply.json === 'object' && reply.json !== null ? Reflect.get(reply.json, name) : undefined
