import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { postJson, startDaemon } from '#test/support/daemon.js'
import { gitIn, type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

describe('kronika doctor after a converge that failed', () => {
  let repository: Repository
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    const config = { server: { sync_interval_min: 60, publish_mode: 'none' } }
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': JSON.stringify(config),
      'encje/indeks.md': '### Orrin\n- @typ: NPC\n',
    })
    folder = temporaryFolder()
  })
  afterEach(() => {
    repository.dispose()
    folder.dispose()
  })

  it('says when it failed, with which code, of which remote, and what to do, until one goes well', async () => {
    const remote = join(folder.path, 'lore.git')
    repository.git('remote', 'add', 'origin', remote)
    const daemon = await startDaemon(['serve', '--repo', repository.path])
    try {
      equal((await postJson(daemon, '/sync', {})).status, 503)
      const told = await runInProcess('doctor', '--repo', repository.path)
      equal(told.code, 65)
      match(
        told.stdout,
        /converge with origin \(\S+lore\.git\) failed at 20\S+Z with unreachable: .*\[ConvergeFailed\]/,
      )
      match(told.stdout, /^ {4}Check git ls-remote origin; fix the network/m)
      const json = await runInProcess('doctor', '--repo', repository.path, '--json')
      ok(json.stdout.includes('"Kind": "ConvergeFailed"'), json.stdout)

      gitIn(folder.path, 'clone', '-q', '--bare', repository.path, remote)
      equal((await postJson(daemon, '/sync', {})).status, 200)
      doesNotMatch((await runInProcess('doctor', '--repo', repository.path)).stdout, /ConvergeFailed/)
    } finally {
      await daemon.stop()
    }
  })

  it('lists what it sees where an object is damaged, and where a ref names none', async () => {
    const blob = repository.git('rev-parse', 'HEAD:encje/indeks.md')
    const path = join(repository.path, '.git/objects', blob.slice(0, 2), blob.slice(2))
    chmodSync(path, 0o644)
    const whole = readFileSync(path)
    writeFileSync(path, 'broken')
    const damaged = await runInProcess('doctor', '--repo', repository.path, '--json')
    deepEqual([damaged.code, damaged.stderr], [65, ''])
    match(damaged.stdout, /"Subject": "object_damaged"[\s\S]*git fsck/)
    writeFileSync(path, whole)

    const ref = join(repository.path, '.git/refs/svc/parked/host')
    mkdirSync(ref, { recursive: true })
    writeFileSync(join(ref, 'broken'), `${'7'.repeat(40)}\n`)
    const dangling = await runInProcess('doctor', '--repo', repository.path)
    deepEqual([dangling.code, dangling.stderr], [65, ''])
    match(dangling.stdout, /object_damaged[\s\S]*refs\/svc\/parked\/host\/broken/)
  })
})
