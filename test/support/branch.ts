import { createHash } from 'node:crypto'
import { right } from 'fp-ts/lib/Either.js'
import type { BatchPorts } from '#actors/write-gate/land-batch.js'
import { routes } from '#protocol/routes.js'
import type { Landing } from '#src/ports/landing.js'
import type { Snapshot } from '#src/snapshot/snapshot.js'
import { builtInHooks } from '#src/writing/batch/hooks.js'
import { planCommandBy, planners } from '#src/writing/plan-command.js'
import { admitMachine } from './commands.js'
import { commitId } from './commit-id.js'
import { nowMs } from './front.js'
import { noMeter } from './no-meter.js'
import { worldOf } from './world.js'
import { textsOf } from './writing-world.js'

/** A branch of snapshots: every commit of it, and what it was made on. */
export const branchOf = (first: Snapshot) => {
  let head: Snapshot = { ...first, commit: commitId('0'.repeat(40)) }
  const parents = new Map<string, Snapshot>()
  const children = new Map<string, Snapshot>()
  const landing: Pick<Landing, 'open'> = {
    open: () =>
      Promise.resolve(
        right({
          inspect: () => Promise.resolve(right(new Set())),
          commit: ({ drafts }) => {
            const commits = drafts.map(({ after, intent }) => {
              const texts = new Map(Object.entries(textsOf(head)))
              for (const [path, bytes] of after)
                if (bytes === null) texts.delete(path)
                else texts.set(path, bytes.toString('utf8'))
              const commit = commitId(createHash('sha1').update(`${head.commit} ${intent}`).digest('hex'))
              const next = { ...worldOf(Object.fromEntries(texts)), commit }
              parents.set(commit, head)
              children.set(commit, next)
              head = next
              return commit
            })
            return Promise.resolve(right({ commits, left: [] }))
          },
          close: () => Promise.resolve(),
        }),
      ),
  }
  return { landing, head: () => head, parents, children }
}

export const refuseUse = (): never => {
  throw new Error('not in this test')
}

/** The ports of a gate that writes to such a branch, with the planners of the daemon. */
export const gateOver = (branch: ReturnType<typeof branchOf>): BatchPorts => {
  let intents = 0
  return {
    plan: planCommandBy({ table: routes, planners, admit: admitMachine }),
    admit: admitMachine,
    containsCommit: refuseUse,
    hooks: builtInHooks,
    nowMs: () => nowMs,
    read: ({ path, before }) => {
      const known = [branch.head(), ...branch.parents.values()].map(({ files }) => files.get(path))
      return Promise.resolve(Buffer.from(known.find(file => file?.blob === before)?.text ?? ''))
    },
    warn: refuseUse,
    trees: new Map(),
    landing: {
      ...branch.landing,
      look: refuseUse,
      ended: refuseUse,
      advance: refuseUse,
      recover: refuseUse,
      stands: refuseUse,
      prove: refuseUse,
    },
    fresh: () => Promise.resolve(branch.head()),
    push: refuseUse,
    publish: refuseUse,
    after: refuseUse,
    afterWrite: [],
    arms: () => ({ format: 'Current', syncStale: false, mode: 'ReadWrite' }),
    newIntent: () => {
      intents += 1
      return `intent-${intents}`
    },
    meter: noMeter,
    monotonicMs: () => 0,
  }
}
