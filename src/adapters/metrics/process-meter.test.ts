import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { git } from '#src/adapters/git/git-command.js'
import { openSqlite } from '#src/adapters/runtime/sqlite.js'
import { sampleSum } from '#test/support/metric-text.js'
import { temporaryFolder } from '#test/support/repository.js'
import { attachMeter } from './process-meter.js'
import { type Prometheus, prometheus } from './prometheus.js'

describe('the meter of the process', () => {
  let metrics: Prometheus
  let detach: () => void
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
    metrics = prometheus(() => undefined)
    detach = attachMeter(metrics.meter)
  })
  afterEach(() => {
    detach()
    folder.dispose()
  })
  const sum = async (name: string, labels: Readonly<Record<string, string>>): Promise<number> =>
    sampleSum(await metrics.text(), name, labels)

  it('counts the processes of git by command and exit, until it is detached', async () => {
    const cwd = folder.path
    await git(['-c', 'core.pager=cat', 'rev-parse', '--git-dir'], { cwd })
    await git(['config', '--get', 'no.such'], { cwd })
    await git(['no-such-command'], { cwd })
    const count = (command: string, result: string) => sum('svc_git_commands_total', { command, result })
    deepEqual(
      [await count('rev-parse', 'failed'), await count('config', 'exit_1'), await count('other', 'exit_1')],
      [1, 1, 1],
    )
    equal(await sum('svc_git_command_duration_seconds_count', { command: 'rev-parse' }), 1)
    detach()
    await git(['rev-parse', '--git-dir'], { cwd })
    equal(await count('rev-parse', 'failed'), 1)
  })

  it('times a transaction of SQLite once, and counts a refused call by its code', async () => {
    const database = openSqlite(join(folder.path, 'runtime.db'), 0)
    database.exec('CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT')
    const insert = database.prepare('INSERT INTO t VALUES (?)')
    const runs = () => sum('svc_store_transaction_seconds_count', { store: 'runtime' })
    database.transaction(() => {
      insert.run(1)
      insert.run(2)
    })
    equal(await runs(), 1)
    insert.run(3)
    equal(await runs(), 2)
    equal(database.prepare('SELECT n FROM t').all().length, 3)
    equal(await runs(), 2)
    throws(() => database.transaction(() => insert.run(1)))
    throws(() => insert.run(1))
    equal(await sum('svc_store_errors_total', { store: 'runtime', code: 'constraint' }), 2)
    equal(await runs(), 2)
    database.close()
  })

  it('exports a counter of closed labels at 0 from the start', async () => {
    const text = await metrics.text()
    for (const line of [
      'svc_invariant_violations_total{invariant="S14"} 0',
      'svc_sync_push_rejections_total{reason="non_ff"} 0',
      'svc_git_stale_locks_removed_total{lock="index"} 0',
      'svc_outbound_blocked_total{reason="time"} 0',
      'svc_store_errors_total{store="runtime",code="full"} 0',
    ])
      ok(text.includes(`${line}\n`), line)
  })
})
