import { deepEqual, equal, ok } from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { getJson, postJson, runCommand, startDaemon } from '#test/support/daemon.js'
import { legacyWorld } from '#test/support/legacy/legacy-world.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

/** Settings whose value git runs as a command, in some git or other. */
const commands = [
  'core.fsmonitor',
  'core.sshCommand',
  'core.pager',
  'core.editor',
  'core.askPass',
  'core.alternateRefsCommand',
  'core.gitProxy',
  'credential.helper',
  'diff.external',
  'diff.evil.textconv',
  'diff.evil.command',
  'filter.evil.clean',
  'filter.evil.smudge',
  'filter.evil.process',
  'gc.recentObjectsHook',
  'gpg.program',
  'interactive.diffFilter',
  'merge.evil.driver',
  'pager.log',
  'sequence.editor',
  'uploadpack.packObjectsHook',
] as const

const hooks = ['pre-commit', 'post-commit', 'reference-transaction', 'post-checkout', 'post-index-change']

describe('a checkout whose own git configuration names commands', () => {
  let repository: Repository
  let marks: { readonly path: string; readonly dispose: () => void }

  beforeEach(() => {
    repository = repositoryOf(legacyWorld)
    marks = temporaryFolder()
    for (const name of commands) repository.git('config', name, `touch ${join(marks.path, name)}; cat #`)
    repository.git('config', 'filter.evil.required', 'false')
    repository.git('config', 'log.showSignature', 'true')
    repository.git('config', 'core.hooksPath', join(repository.path, '.git/evil-hooks'))
    mkdirSync(join(repository.path, '.git/evil-hooks'))
    for (const hook of hooks)
      writeFileSync(
        join(repository.path, '.git/evil-hooks', hook),
        `#!/bin/sh\ntouch ${join(marks.path, hook)}\n`,
        { mode: 0o755 },
      )
    writeFileSync(join(repository.path, '.git/info/attributes'), '* filter=evil diff=evil merge=evil\n')
  })
  afterEach(() => {
    repository.dispose()
    marks.dispose()
  })

  it('would run them with a plain git', () => {
    repository.git('status')
    ok(existsSync(join(marks.path, 'core.fsmonitor')))
    repository.git('-c', 'core.fsmonitor=false', 'add', '--renormalize', '.')
    ok(
      existsSync(join(marks.path, 'filter.evil.process')) ||
        existsSync(join(marks.path, 'filter.evil.clean')),
    )
  })

  it('is adopted, told of, served and written without one of them run', async () => {
    for (const args of [
      ['adopt', repository.path],
      ['serve', '--repo', repository.path, '--port', '0'],
    ]) {
      const refused = await runCommand(args)
      equal(refused.code, 64)
      ok(refused.stderr.includes('has the filter evil'), refused.stderr)
    }
    writeFileSync(
      join(repository.path, '.git/info/attributes'),
      '* diff=evil merge=evil\n*.png filter=evil\n',
    )
    equal((await runCommand(['adopt', repository.path, '--dry-run'])).code, 0)
    const adopted = await runCommand(['adopt', repository.path])
    equal(adopted.code, 0, adopted.stderr)
    await runInProcess('doctor', '--repo', repository.path)
    const daemon = await startDaemon(['serve', '--repo', repository.path, '--port', '0'])
    try {
      const written = await postJson(daemon, '/entities', { name: 'Nieznana Nowa', type: 'NPC' })
      equal(written.status, 201, JSON.stringify(written.body))
      equal((await getJson(daemon, '/audit/changes')).status, 200)
    } finally {
      equal(await daemon.stop(), 0)
    }
    deepEqual(readdirSync(marks.path), [])
  })
})
