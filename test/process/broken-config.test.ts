import { doesNotMatch, equal, match } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { getJson, runCommand, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const config = '.svc/config.json'

describe('a committed configuration that does not parse', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ '.svc/format.json': '{"format": 2}\n' })
  })
  afterEach(() => repository.dispose())

  it('gives way to the newest version that parses, with an error in log and doctor', async () => {
    repository.commit({ [config]: '{"server": {"publish_mode": "mr"}}' })
    const good = repository.commit({
      [config]: '{"server": {"publish_mode": "push", "sync_max_age_min": 7}}',
    })
    repository.commit({ [config]: '{"server": {' })
    repository.commit({ [config]: '{\n  "server": "x"\n}\n' })
    const daemon = await startDaemon(['serve', '--repo', repository.path])
    const health = JSON.stringify((await getJson(daemon, '/health')).body)
    await daemon.stop()
    match(health, /"publishMode":"push".*"staleAfterMinutes":7/)
    match(
      daemon.stderr(),
      new RegExp(
        `"level":50.*"line":2,"reason":"The committed .svc/config.json does not parse at line 2, column 13: ` +
          `server wants an object of keys. This host uses the version of commit ${good}\\.".*"config_broken"`,
      ),
    )
    const doctor = await runCommand(['doctor', '--repo', repository.path])
    equal(doctor.code, 65)
    match(doctor.stdout, /^\.svc\/config\.json:2: error: .* at line 2, column 13: .*\[ConfigInvalid\]$/m)

    repository.commit({ [config]: '{"server": {"publish_mode": "mr"}}' })
    doesNotMatch((await runCommand(['doctor', '--repo', repository.path])).stdout, /ConfigInvalid/)
  })

  it('gives way to the defaults, which publish nothing, where no version parses', async () => {
    repository.commit({ [config]: '{"server": {"publish_mode": "push"}' })
    repository.commit({ [config]: '' })
    const daemon = await startDaemon(['serve', '--repo', repository.path])
    const health = JSON.stringify((await getJson(daemon, '/health')).body)
    await daemon.stop()
    match(health, /"publishMode":"none"/)
    match(daemon.stderr(), /uses the default of every key and publishes nothing.*"config_broken"/)
    equal((await runCommand(['doctor', '--repo', repository.path])).code, 65)
  })
})
