import { randomUUID } from 'node:crypto'
import { closeForDisk, type GatePorts } from '#actors/write-gate/mode.js'
import { lineOrigins } from '#src/adapters/history/git-history.js'
import { realClock } from '#src/kernel/time/clock.js'
import { type CommitSignerSetup, signLanding } from '../identity/keys/commit-signer.js'
import { fleetKeySource } from '../identity/keys/fleet-key.js'
import { recoveryLog } from '../records/recovery-log.js'
import type { NodeParts } from '../tree/node-parts.js'
import { adoptionPlan } from './adoption-plan.js'
import { afterWrites } from './after-writes.js'
import { dirtyAt } from './dirty-at.js'
import { freshCorpus } from './fresh-corpus.js'
import { planPorts } from './plan-ports.js'

const signerOf = ({ checkout, options, snapshot }: NodeParts): CommitSignerSetup => ({
  town: options.town,
  source: fleetKeySource(process.env, checkout.state),
  snapshot,
})

/** The ports of the write gate on this host. */
export const gatePorts = (parts: NodeParts): GatePorts => {
  const { checkout, config } = parts
  const { source } = checkout
  const landing = checkout.landing === null ? null : signLanding(checkout.landing, signerOf(parts))
  const { fresh, published } = freshCorpus({ source, held: parts.held, look: parts.look })
  const planning = planPorts(parts)
  const { nowMs, admit } = planning
  const { publish } = parts.records
  const newIntent = (): string => randomUUID()
  return {
    ...planning,
    adoption: {
      source,
      landing,
      nowMs,
      fresh,
      admit,
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
      diskRefused: reason => void closeForDisk({ mode: parts.mode, publish }, reason),
    },
    // Costs one stat for each batch: no write is acknowledged on a state area that vanished since the last
    // watch.
    arms: () => ({ ...parts.gate(), stateGone: !parts.checkout.runtime.stands() }),
    fresh,
    landing,
    published,
    recovered: async found => {
      recoveryLog(parts.log)(found)
      await parts.records.payOwed()
    },
    mode: parts.mode,
    settleRole: parts.roleMode.settle,
    tellFollower: parts.followers.tell,
    publish,
    meter: parts.metrics.meter,
    afterWrite: afterWrites(parts.records, parts.log.info),
    after: realClock.after,
    monotonicMs: realClock.monotonicMs,
    newIntent,
  }
}
