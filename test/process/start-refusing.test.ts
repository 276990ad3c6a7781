import { equal, match } from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, it } from 'mocha'
import { patchJson, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf } from '#test/support/repository.js'

const current = { '.svc/format.json': '{"format": 2}\n' }

describe('a host that takes no writes from its start on says why, and what to do', () => {
  let repository: Repository
  afterEach(() => repository.dispose())

  const start = async (files: Readonly<Record<string, string>>, isGit = true) => {
    repository = repositoryOf(files)
    if (!isGit) rmSync(join(repository.path, '.git'), { recursive: true })
    const daemon = await startDaemon(['serve', '--repo', repository.path])
    const write = await patchJson(daemon, '/entities/Orrin', {})
    await daemon.stop()
    const records = daemon.stderr().split('\n')
    return {
      refused: JSON.stringify(write.body),
      told: records.filter(line => line.includes('"writes_refused"')),
    }
  }

  it('a newer format, and a configuration that asks for it', async () => {
    const { told } = await start({
      '.svc/format.json': '{"format": 3}\n',
      '.svc/config.json': '{"server": {"read_only": true}}',
    })
    equal(told.length, 2)
    match(told.join(), /"reason":"the mode is ReadOnly","mend":"POST \/admin\/mode/)
    match(told.join(), /"reason":"SchemaTooNew","mend":"update Kronika on this host"/)
  })

  it('a plain directory, to the log and to who writes', async () => {
    const { refused, told } = await start(current, false)
    equal(told.length, 1)
    for (const text of [refused, told.join()])
      match(text, /not a git repository: run `git init`, commit the lore/)
  })
})
