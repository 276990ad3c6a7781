import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'mocha'
import { gitLocks } from '#protocol/host/sync.js'
import { attachMeter } from '#src/adapters/metrics/process-meter.js'
import { prometheus } from '#src/adapters/metrics/prometheus.js'
import { sampleSum } from '#test/support/metric-text.js'
import { countStaleLock } from './index-lock.js'

/** The kinds that the counter shows after this lock. */
const countKind = async (path: string): Promise<ReadonlyArray<string>> => {
  const metrics = prometheus(() => undefined)
  const detach = attachMeter(metrics.meter)
  countStaleLock(path)
  detach()
  const text = await metrics.text()
  return gitLocks.filter(lock => sampleSum(text, 'svc_git_stale_locks_removed_total', { lock }) > 0)
}

const kinds = {
  'index.lock': 'index',
  'HEAD.lock': 'head',
  'worktrees/a/HEAD.lock': 'head',
  'refs/heads/main.lock': 'ref',
  'refs/svc/fetched.lock': 'ref',
  'refs/heads/logs/a.lock': 'ref',
  'logs/HEAD.lock': 'log',
  'logs/refs/heads/main.lock': 'log',
  'packed-refs.lock': 'packed_refs',
  'packed-refs.new': 'packed_refs',
  'gc.pid.lock': 'gc',
  'objects/info/commit-graph.lock': 'objects',
  'objects/info/commit-graphs/commit-graph-chain.lock': 'objects',
}

describe('the count of stale locks', () => {
  for (const [path, kind] of Object.entries(kinds))
    it(`counts ${path} as ${kind}, whatever the folder of the repository`, async () => {
      for (const folder of ['/srv/lore', '/srv/objects/lore', '/var/logs/lore'])
        deepEqual(await countKind(`${folder}/.git/${path}`), [kind], folder)
    })
})
