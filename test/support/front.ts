import { left, right } from 'fp-ts/lib/Either.js'
import { eventFeed } from '#actors/event-journal.js'
import { type CommitId, type Tier, tiers } from '#protocol/atoms.js'
import { refuse } from '#protocol/refusal.js'
import { routes } from '#protocol/routes.js'
import type { Caller } from '#src/domain/callers/caller.js'
import { firstFleetState } from '#src/domain/fleet/fleet-state.js'
import { anonymous, tokenHash } from '#src/domain/identity/credentials/tokens.js'
import { viewOf } from '#src/domain/identity/grade.js'
import type { TierReading } from '#src/domain/search/search-page.js'
import { noMisses } from '#src/domain/search/zero-results.js'
import { admitBy } from '#src/http/credentials/admission.js'
import {
  type Credentials,
  credentialsOf,
  type Prefix,
  type Resolve,
} from '#src/http/credentials/authenticate.js'
import { openWriteLimit } from '#src/http/credentials/caller-limits.js'
import { clientNetworkBehind } from '#src/http/credentials/client-address.js'
import { handlers } from '#src/http/handlers/all.js'
import { type Front, startFront } from '#src/http/listener/front.js'
import type { HttpLog, HttpMeter, HttpRecord } from '#src/http/records/meter.js'
import { type FrontOptions, memoBytesMax } from '#src/http/routing/call.js'
import { type FetchLogs, massFetch } from '#src/node/archive/mass-fetch.js'
import { openMeasureMaps } from '#src/node/maps.js'
import { readReference } from '#src/node/package-files.js'
import { performTaskBy } from '#src/node/tasks.js'
import type { Host, SearchPorts } from '#src/ports/host.js'
import type { WriteGate } from '#src/ports/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import type { AnyPlanners, Command, PlanCommand, WritePort } from '#src/writing/command.js'
import { planCommandBy, planners } from '#src/writing/plan-command.js'
import { sendsAtOnce } from '#test/support/chat/sent-messages.js'
import { challengesInMemory } from '#test/support/identity/challenges.js'
import { apiKeysInMemory } from '#test/support/identity/claims.js'
import { chatSignInWith } from '#test/support/identity/id-tokens.js'
import { unkeptTokens } from '#test/support/identity/named-tokens.js'
import { firstShowingInMemory } from '#test/support/identity/shown-id-tokens.js'
import { secrets } from '#test/support/secrets/secrets.js'
import { acceptedInteractions } from './chat/interactions.js'
import { freshMentions } from './fleet/artifacts.js'
import { observedPeers, splitMonitor } from './fleet/peers.js'
import { historyOf, shortHistory } from './history.js'
import { type Client, clientOf } from './http-client.js'
import { jobsInMemory, type TestJobs } from './jobs.js'
import { fetchingOf } from './log-fetching.js'
import { unkeptModels } from './models.js'
import { noTranscripts } from './transcripts.js'
import { worldOf } from './world.js'
import { makeWritingWorld } from './writing-world.js'

export const testMachineToken = 'machine-token-of-the-tests'
export const nowMs = Date.parse('2026-06-15T12:00:00Z')

/** A caller with these capabilities, as from a session token. */
export const callerWith = (holds: ReadonlyArray<string>, gracz: string | null = null): Caller => ({
  ...anonymous,
  kind: 'session',
  gracz,
  holds: new Set(holds),
  view: viewOf(new Set(holds)),
})

const nothing = (): void => undefined

export const quietMeter: HttpMeter = {
  began: nothing,
  ended: nothing,
  body: nothing,
  rejected: nothing,
  handlerError: nothing,
  streamOpened: nothing,
  streamEnded: nothing,
  streamsUnsent: nothing,
}

const refusesAdoption: WriteGate['adopt'] = () => Promise.reject(new Error('no adoption in this test'))

const disabled = { _tag: 'Disabled' } as const

/** Search on a host that indexes no tier. */
const searchNowhere: SearchPorts = {
  asker: {
    states: () => ({ lore: disabled, session: disabled, speech: disabled, external: disabled }),
    rank: () => Promise.resolve(disabled),
    watch: nothing,
  },
  readPassage: () => Promise.resolve(null),
  record: () => Promise.resolve(),
}
const liveTier = (tier: Tier): TierReading => ({
  tier,
  state: 'live',
  isBuilding: false,
  engine: 'wink',
  stamp: 'of the tests',
  documents: 12,
  changes: 1,
  trouble: null,
})

/** Every picture is of 96 to 64 tiles. */
const measureTestMaps = openMeasureMaps(
  {
    measure: () => Promise.resolve({ _tag: 'Size', width: 3072, height: 2048 }),
    pause: () => Promise.resolve(),
    monotonicMs: () => 0,
    publish: nothing,
  },
  { delayMs: 100, failureBudget: 20 },
)

/** A node whose jobs may be attached to the front that it is given to. */
export interface TestHost extends Host {
  readonly jobs: TestJobs
}

export const nodeView = (overrides: Partial<TestHost> = {}): TestHost => ({
  version: '0.0.0-test',
  monotonicMs: () => 0,
  build: 'test',
  bootId: 'test-boot',
  bootMs: nowMs - 90_000,
  pid: 4242,
  mode: () => 'ReadWrite',
  fleet: () => firstFleetState('', null),
  syncAgeMs: () => null,
  whyNoDuty: () => null,
  whyNoTick: () => null,
  modeReason: () => null,
  staleReason: () => null,
  blockers: () => [],
  isGone: () => false,
  setMode: mode => Promise.resolve(right(mode)),
  shutdown: nothing,
  requestCount: () => 0,
  lagMs: () => 4,
  memory: () => ({ rssBytes: 50_000_000, heapUsedBytes: 20_000_000, heapLimitBytes: 2 ** 31, majorGcs: 3 }),
  contract: { version: null, sha: null, agent: null },
  imageDigest: '',
  transcripts: noTranscripts,
  mentionIndex: () => 'absent',
  evidence: () => Promise.resolve(null),
  hasSampleStore: () => false,
  logFailures: { all: () => new Map() },
  sync: () => ({
    enabled: false,
    publishMode: 'none',
    intervalMinutes: 15,
    stale: false,
    staleAfterMinutes: 60,
    lastConvergeOkMs: null,
    lastAction: null,
    lastDetail: null,
    request: null,
    git: true,
    remote: null,
    unpublished: 0,
    parked: [],
  }),
  converge: () => Promise.resolve(left(refuse('SyncDisabled', 'No remote in this test.'))),
  accept: () => Promise.resolve(left(refuse('SyncDisabled', 'No remote in this test.'))),
  trees: () => [],
  planAccept: () => Promise.resolve(null),
  delivery: sendsAtOnce,
  takeovers: {
    missingSetting: () => null,
    request: () => right({ target: 'Deyja', known: null, earlierFailure: null }),
    announce: () => true,
  },
  interactions: acceptedInteractions,
  recordedLint: () => null,
  events: eventFeed(null),
  logs: stream => Promise.resolve({ stream, count: 0, items: [], next: null }),
  readers: { threads: 0, live: () => 0 },
  jobs: jobsInMemory(),
  challenges: challengesInMemory(),
  gameSignIn: { rules: null, key: () => Promise.reject(new Error('no key in this test')) },
  history: historyOf(shortHistory),
  isVerified: () => true,
  mintLogin: (_who, atMs) =>
    Promise.resolve(right({ token: 'sess_of-the-tests', expiresMs: atMs + 14_400_000, fleet: null })),
  namedTokens: unkeptTokens,
  apiKeys: apiKeysInMemory(),
  chatSignIn: chatSignInWith(),
  isFirstShowing: firstShowingInMemory(),
  attempted: nothing,
  chat: { guildId: '900', signInEnabled: true },
  guildRoles: () => Promise.resolve(right([{ id: '77', name: 'Narratorzy' }])),
  peers: observedPeers,
  monitor: () => splitMonitor,
  derived: freshMentions,
  players: { askRoster: null, resolved: nothing },
  adopt: refusesAdoption,
  reindex: refusesAdoption,
  logFetching: fetchingOf({ 'https://logi.example/9': '[20:15] [Lokalny] Wit Kłos: Dobry wieczór.\n' }),
  readTuning: () => Promise.resolve(null),
  models: unkeptModels(),
  measureMaps: measureTestMaps,
  mapsPerBatch: 300,
  search: searchNowhere,
  misses: () => noMisses,
  searchReadings: () => tiers.map(liveTier),
  rebuildSearch: () => Promise.resolve(right({ tiers: [...tiers] })),
  ...overrides,
})

export interface TestFrontOptions
  extends Partial<Omit<FrontOptions, 'snapshot' | 'credentials' | 'write' | 'node'>> {
  /** The node of the front, which performs the tasks of its jobs. */
  readonly node?: TestHost
  /** Where commands go, with the plan of this front's gate; if absent, to a world in memory. */
  readonly write?: (
    command: Command,
    plan: PlanCommand,
    isCallerThere?: () => boolean,
  ) => ReturnType<WritePort>
  /** Planners for a table that is not the closed one. */
  readonly planners?: AnyPlanners
  /** Whether writes persist for the next request (default); false: each request sees the first world. */
  readonly keepsWrites?: boolean
  /** The commit in answers of writes. */
  readonly writtenCommit?: CommitId
  /** The served world; null: before the first snapshot. */
  readonly snapshot?: Snapshot | null
  /** Callers by token, besides the machine. */
  readonly callers?: Readonly<Record<string, Caller>>
  /** Tokens by prefix, resolved as the node does. */
  readonly kinds?: Readonly<Partial<Record<Prefix, Resolve>>>
}

export interface TestFront {
  readonly front: Front
  readonly client: Client
  readonly ops: Client
  /** The currently served world, after the writes. */
  readonly world: () => Snapshot | null
  /** What the front logged. */
  readonly log: ReadonlyArray<HttpRecord>
  /** Serves another world from the next request on. */
  readonly serve: (snapshot: Snapshot | null) => void
  readonly close: () => Promise<void>
}

const emptyWorld = worldOf({ '.svc/format.json': '{"format": 2}' })

/** Starts a front on loopback over a world, with the closed table by default. */
export const testFront = async (options: TestFrontOptions = {}): Promise<TestFront> => {
  const {
    snapshot: first = emptyWorld,
    callers = {},
    kinds = {},
    keepsWrites: keeps = true,
    writtenCommit: commit = null,
    planners: rules = planners,
    write: writeBy,
    node = nodeView(),
    ...overrides
  } = options
  let current = first
  const log: Array<HttpRecord> = []
  const record: HttpLog = entry => void log.push(entry)
  const local = credentialsOf(tokenHash(testMachineToken), kinds)
  const credentials: Credentials = {
    resolve: (token, at, now) => callers[token] ?? local.resolve(token, at, now),
    resolveAgain: (token, at, now) => callers[token] ?? local.resolveAgain(token, at, now),
  }
  const { table = routes } = overrides
  const admit = admitBy(credentials, table, () => current)
  const plan = planCommandBy({ table, planners: rules, admit })
  const writeHere = async (command: Command, plan: PlanCommand) => {
    const world = makeWritingWorld(current ?? emptyWorld, { nowMs, keeps, commit, plan, admit })
    const written = await world.write(command)
    if (keeps) current = world.snapshot()
    return written
  }
  const write: WritePort = (command, isCallerThere) => (writeBy ?? writeHere)(command, plan, isCallerThere)
  const { adopt, reindex, rebuildSearch, jobs, logFetching, logFailures } = node
  const fetchLogs: FetchLogs = (task, progress, signal) =>
    massFetch(
      {
        logs: logFetching,
        failures: logFailures,
        write,
        snapshot: () => current,
        publish: nothing,
        nowMs: () => nowMs,
        monotonicMs: () => 0,
      },
      task,
      progress,
      signal,
    )
  jobs.attach?.(
    performTaskBy({ table, fetchLogs, adopt, reindex, rebuildSearch, write, snapshot: () => current, admit }),
  )
  const front = await startFront(
    {
      table: routes,
      handlers,
      snapshot: () => current,
      freshen: null,
      containsCommit: () => Promise.resolve(false),
      credentials,
      gate: () => null,
      signInLimit: () => null,
      writeLimit: openWriteLimit({ perMinute: 0, burst: 0 }),
      clientNetwork: clientNetworkBehind([]),
      node,
      clock: { nowMs: () => nowMs, monotonicMs: () => performance.now() },
      meter: quietMeter,
      log: record,
      recordRequest: nothing,
      write,
      readers: null,
      published: () => new Set(),
      readReference,
      metricsText: () => Promise.resolve('# HELP svc_build_info constant 1\n'),
      memoBytesMax,
      ...overrides,
    },
    { apiPort: 0, opsPort: 0 },
  )
  const recorded = overrides.table === undefined
  return {
    front,
    client: clientOf({ port: front.apiPort, token: testMachineToken, recorded }),
    ops: clientOf({ port: front.opsPort, token: testMachineToken, recorded }),
    world: () => current,
    log,
    serve: snapshot => {
      current = snapshot
    },
    close: async () => {
      await front.close(0)
      secrets.told('the log of a front', JSON.stringify(log))
    },
  }
}

/** A handler that answers with a fixed value, for tables of a test. */
export const answerWith = (body: unknown) => () => right({ body })
