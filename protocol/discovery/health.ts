import * as t from 'io-ts'
import { Instant } from '../atoms/instant.js'
import { CardRole } from '../fleet/status-card.js'
import { RequestState } from '../forge/answer.js'
import { BlockCount } from './blocked.js'
import { Mode } from './mode.js'

const textOrNull = t.union([t.string, t.null])
const numberOrNull = t.union([t.number, t.null])

/** The request of mode `mr` as anyone may read it: without its address. */
const NamedRequest = t.type({ iid: t.number, state: RequestState }, 'NamedRequest')

/** Counts of forwarded interactions of one kind since the start, by their result. */
const DispatchCounters = t.type(
  { accepted: t.number, enacted: t.number, failed: t.number, refused: t.number },
  'DispatchCounters',
)

/**
 * Lore that is not read because it is too large (D65): files, and blocks whose `@ref` is not followed. Zero
 * while the tree is within its budgets.
 */
const LeftOut = t.type({ files: t.number, references: t.number }, 'LeftOut')

export const PublishMode = t.keyof({ push: null, mr: null, none: null }, 'PublishMode')
export type PublishMode = t.TypeOf<typeof PublishMode>

/**
 * `GET /health` (A 2.8, D20): has every key from the start; parts that are not built yet have their empty
 * value.
 */
export const Health = t.type(
  {
    /** `degraded` while `blocked` is not empty. */
    status: t.keyof({ ok: null, degraded: null }, 'HealthStatus'),
    /**
     * What blocks writes now or later; empty when nothing does. This row is public, so it has no path and no
     * text.
     */
    blocked: t.readonlyArray(BlockCount),
    version: t.string,
    schema: numberOrNull,
    expected: t.number,
    mode: Mode,
    role: CardRole,
    entities: t.number,
    leftOut: LeftOut,
    pid: t.number,
    uptimeSeconds: t.number,
    requestCount: t.number,
    lagMs: t.number,
    imageDigest: t.string,
    contract: t.type({ version: textOrNull, sha: textOrNull, agent: textOrNull }, 'Contract'),
    memory: t.union([
      t.type(
        {
          retainedManagedMb: t.number,
          workingSetMb: t.number,
          gcHeapLimitMb: t.number,
          gen2Collections: t.number,
        },
        'Memory',
      ),
      t.null,
    ]),
    sync: t.type(
      {
        enabled: t.boolean,
        publishMode: PublishMode,
        intervalMinutes: t.number,
        stale: t.boolean,
        staleAfterMinutes: t.number,
        lastConvergeOkUtc: t.union([Instant, t.null]),
        lastAction: textOrNull,
        request: t.union([NamedRequest, t.null]),
      },
      'SyncState',
    ),
    readerThreads: t.number,
    readersLive: t.number,
    mentionIndex: t.keyof({ memory: null, fresh: null, stale: null, absent: null }, 'MentionIndex'),
    dispatch: t.type(
      { close: DispatchCounters, report: DispatchCounters, query: DispatchCounters },
      'Dispatch',
    ),
  },
  'Health',
)
export type Health = t.TypeOf<typeof Health>
