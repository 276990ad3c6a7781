import { doesNotMatch, equal, match } from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

const edited = { '.svc/config.json': '{"server": {"reader_threads": 1}}' }

describe('an edit of the configuration that is not committed', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ '.svc/format.json': '{"version": 2}', '.svc/config.json': '{}' })
    writeFiles(repository.path, edited)
  })
  afterEach(() => repository.dispose())

  const logOf = async (): Promise<string> => {
    const daemon = await startDaemon(['serve', '--repo', repository.path])
    await daemon.stop()
    return daemon.stderr()
  }

  it('is in the log of a start', async () => {
    match(
      await logOf(),
      /"reason":"\.svc\/config\.json has uncommitted changes, which the host does not read",.*"config_uncommitted"/,
    )
  })

  it('is told by doctor, until it is committed', async () => {
    const before = await runInProcess('doctor', '--repo', repository.path)
    match(before.stdout, /^checkout \.svc\/config\.json: warning: .*uncommitted changes.*\n +Commit them/m)
    equal(before.code, 65)
    repository.commit(edited)
    doesNotMatch((await runInProcess('doctor', '--repo', repository.path)).stdout, /ConfigUncommitted/)
  })

  it('is judged by doctor before it is committed, with file, line and column of each fault', async () => {
    const warningOf = async (text: string): Promise<string> => {
      writeFiles(repository.path, { '.svc/config.json': text })
      const { code, stdout } = await runInProcess('doctor', '--repo', repository.path)
      equal(code, 65)
      return /^checkout \.svc\/config\.json: (.*)\[ConfigInvalid\]$/m.exec(stdout)?.[1] ?? stdout
    }
    match(
      await warningOf('{\n  "server": {\n    "port": 80,\n  }\n}\n'),
      /^warning: The uncommitted \.svc\/config\.json does not parse at line 4, column 3: a key in quotes/,
    )
    match(
      await warningOf('{"server": {\n  "port": 70000\n}}\n'),
      /^warning: .*uncommitted \.svc\/config\.json: The key server\.port at line 2, column 11 must be a port/,
    )
    match(await warningOf(`{}${' '.repeat(262_144)}`), /^warning: .*at line 1, column 1: it has 262146 bytes/)
    match(
      await warningOf('{"server": {"prot": 1}}'),
      /^info: .*server\.prot at line 1, column 21 is not known/,
    )
  })
})
