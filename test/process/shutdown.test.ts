import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import {
  type Daemon,
  type DaemonReply,
  getJson,
  patchJson,
  postJson,
  startDaemon,
} from '#test/support/daemon.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const names = Array.from(
  { length: 40 },
  (_, at) => `Kupiec ${String.fromCharCode(65 + (at >> 3), 65 + (at & 7))}`,
)

describe('the end of a daemon', () => {
  let repository: Repository
  let daemon: Daemon
  beforeEach(async () => {
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      'encje/indeks.md': names.map(name => `### ${name}\n- @typ: NPC\n`).join('\n'),
    })
    daemon = await startDaemon(['serve', '--repo', repository.path])
  })
  afterEach(async () => {
    if (daemon.process.exitCode === null && daemon.process.signalCode === null) await daemon.stop('SIGKILL')
    repository.dispose()
  })

  const write = async (name: string): Promise<DaemonReply | null> => {
    try {
      return await patchJson(daemon, `/entities/${encodeURIComponent(name)}`, {
        tag: 'status',
        value: 'Aktywny',
      })
    } catch {
      return null
    }
  }
  const ended = (): Promise<number | null> =>
    new Promise(resolve => {
      const { exitCode } = daemon.process
      if (exitCode === null) daemon.process.once('close', resolve)
      else resolve(exitCode)
    })
  /** Every write that was answered 200 is a commit, there are no others, and nothing is left over. */
  const nothingLost = (answers: ReadonlyArray<DaemonReply | null>): number => {
    const acknowledged = answers.filter(answer => answer?.status === 200).length
    const commits = Number(repository.git('rev-list', '--count', 'HEAD')) - 1
    equal(commits, acknowledged)
    equal(repository.git('status', '--porcelain'), '')
    repository.git('fsck', '--strict')
    return acknowledged
  }

  it('comes after its answer when it is asked for, with 0', async () => {
    const dry = await postJson(daemon, '/admin/shutdown?dryRun=true', {})
    deepEqual([dry.status, dry.body], [200, { stopped: false }])
    equal((await getJson(daemon, '/health')).status, 200)
    const answer = await postJson(daemon, '/admin/shutdown', {})
    deepEqual([answer.status, answer.body], [200, { stopped: true }])
    equal(await ended(), 0)
    match(daemon.stderr(), /"signal":"POST \/admin\/shutdown","event":"draining"/)
  })

  it('answers the writes that were under way, and takes no new one', async () => {
    const writes = names.map(write)
    await Promise.race(writes)
    const code = daemon.stop('SIGTERM')
    const answers = await Promise.all(writes)
    equal(await code, 0)
    ok(nothingLost(answers) > 0)
    equal(await write('Kupiec AA'), null)
  })

  it('does not wait for anything at the second signal', async () => {
    const writes = names.map(write)
    await Promise.race(writes)
    daemon.process.kill('SIGTERM')
    await new Promise(resolve => setTimeout(resolve, 5))
    const code = await daemon.stop('SIGTERM')
    const answers = await Promise.all(writes)
    ok(code === 130 || code === 0, String(code))
    const acknowledged = answers.filter(answer => answer?.status === 200).length
    ok(Number(repository.git('rev-list', '--count', 'HEAD')) - 1 >= acknowledged)
    daemon = await startDaemon(['serve', '--repo', repository.path])
    equal((await write('Kupiec EH'))?.status, 200)
    equal(repository.git('status', '--porcelain'), '')
    repository.git('fsck', '--strict')
  })
})
