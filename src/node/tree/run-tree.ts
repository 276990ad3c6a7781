import { randomUUID } from 'node:crypto'
import type { LoadPorts } from '#actors/corpus-keeper/load.js'
import { closedByDisk } from '#actors/write-gate/mode.js'
import type { GatePorts } from '#actors/write-gate/ports.js'
import { lineOrigins } from '#src/adapters/git/line-origins.js'
import type { Tree } from '#src/kernel/kernel.js'
import { realClock } from '#src/kernel/time/clock.js'
import { builtInHooks } from '#src/writing/batch/hooks.js'
import { chatCourierPorts } from '../chat/chat-courier.js'
import { frontDeps } from '../front/front-deps.js'
import { type Listeners, listeners } from '../front/front-ports.js'
import { adoptionPlan } from '../gate/adoption-plan.js'
import { afterWrites } from '../gate/after-writes.js'
import { dirtyAt } from '../gate/dirty-at.js'
import { freshCorpus } from '../gate/fresh-corpus.js'
import { committedBytes } from '../gate/write-port.js'
import { type CommitSignerSetup, signingLanding } from '../identity/keys/commit-signer.js'
import { fleetKeySource } from '../identity/keys/fleet-key.js'
import { rightsLog } from '../identity/rights-log.js'
import { keyKeeperPorts } from '../identity/sign-in/key-fetches.js'
import { lookLog, publishedOnce, toldOnce } from '../records/look-log.js'
import { recoveryLog } from '../records/recovery-log.js'
import { syncPorts } from '../sync/sync-parts.js'
import { jobRunnerPorts } from './jobs.js'
import type { NodeParts } from './node-parts.js'
import type { TreePorts } from './tree.js'

/** A node that runs: its tree, and the listeners for whoever prints where they listen. */
export interface RunningTree {
  readonly tree: Tree
  readonly doors: Listeners
}

const signerOf = ({ checkout, options, snapshot }: NodeParts): CommitSignerSetup => ({
  town: options.town,
  source: fleetKeySource(process.env, checkout.state),
  snapshot,
})

const gatePorts = (parts: NodeParts): GatePorts => {
  const { checkout, config } = parts
  const { source } = checkout
  const landing = checkout.landing === null ? null : signingLanding(checkout.landing, signerOf(parts))
  const { fresh, published } = freshCorpus({ source, held: parts.held, look: parts.look })
  const nowMs = realClock.nowMs
  const { publish } = parts.records
  const newIntent = (): string => randomUUID()
  return {
    adoption: {
      source,
      landing,
      nowMs,
      fresh,
      newIntent,
      plan: adoptionPlan(config),
      lineOrigins: lineOrigins(source.path),
      ...(landing === null ? {} : { dirtyNow: dirtyAt(landing) }),
      published,
      done: (commit, { Files = [], Findings }, line) => {
        parts.log.info('adopted', { commit, route: line.route, actor: line.actor, files: Files.length })
        publish('adoption:done', { commit, files: Files.length, findings: Findings.length })
        parts.records.audit({ ...line, commit })
      },
      diskRefused: reason => void closedByDisk({ mode: parts.mode, publish }, reason),
    },
    // One stat for each batch: no write is acknowledged between two looks of the watch.
    arms: () => ({ ...parts.gate(), stateGone: !parts.checkout.runtime.stands() }),
    fresh,
    read: committedBytes(source),
    landing,
    published,
    recovered: async found => {
      recoveryLog(parts.log)(found)
      await parts.records.payOwed()
    },
    mode: parts.mode,
    publish,
    meter: parts.metrics.meter,
    warn: parts.log.warn,
    afterWrite: afterWrites(parts.records, parts.log.info),
    monotonicMs: realClock.monotonicMs,
    hooks: builtInHooks,
    nowMs,
    newIntent,
  }
}

/** What the actors are given of the real world. */
const treePorts = (parts: NodeParts, load: LoadPorts, doors: Listeners): TreePorts => {
  const { held, log, records } = parts
  const failures = lookLog(log)
  const published = publishedOnce(records.publish)
  const wrote = toldOnce(parts.tree.doors.sync)
  const rights = rightsLog(log, parts.snapshot)
  return {
    journal: records.events.journal,
    streams: records.streams.work,
    keeper: {
      load,
      cell: held,
      looked: outcome => {
        parts.lastLook.set(outcome)
        failures(outcome)
        published(outcome)
        wrote(outcome)
        rights(outcome)
      },
      watch: parts.blocks.watch,
    },
    readers: parts.readers.desk,
    gate: gatePorts(parts),
    jobs: jobRunnerPorts(parts),
    sync: syncPorts(parts),
    keys: keyKeeperPorts(parts),
    chat: chatCourierPorts({ ...parts, meter: parts.metrics.meter }),
    front: doors,
  }
}

/** How a tree ends its process: by itself when the root gives up, and when it is told to over HTTP. */
export interface Ends {
  readonly onGiveUp: () => void
  readonly shutdown: () => void
}

/** Starts the tree over the real world; `amend` lets a test of the whole node put ports of its own in between. */
export const runTree = (
  parts: NodeParts,
  load: LoadPorts,
  ends: Ends,
  amend: (ports: TreePorts) => TreePorts = ports => ports,
): RunningTree => {
  const { config, log, options } = parts
  const deps = frontDeps(parts, ends.shutdown)
  const doors = listeners(() => deps, {
    api: options.port ?? config['server.port'],
    ops: options.opsPort ?? 0,
  })
  const tree = parts.tree.run(amend(treePorts(parts, load, doors)), notice => {
    log.error('gave_up', { supervisor: notice.supervisor, error: notice.error })
    ends.onGiveUp()
  })
  return { tree, doors }
}
