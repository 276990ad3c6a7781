import { deepEqual, equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { type Repository, repositoryOf, testGitEnvironment, writeFiles } from '#test/support/repository.js'
import { root } from '#test/tidy/sources.js'

/** Stands for biome, eslint and npm: notes how it was called, and fails where it is told to. */
const tool = `#!/bin/sh
echo "\${0##*/} $*" >> "$CALLS"
[ "$FAILS" != "\${0##*/}" ]
`

const person = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org']

describe('the pre-commit hook', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf({ 'a.ts': 'const a = 1\n', 'gone.ts': '', 'page.md': 'A page.\n' })
    const tools = ['biome', 'eslint', 'npm'].map(name => `node_modules/.bin/${name}`)
    writeFiles(repository.path, Object.fromEntries(tools.map(path => [path, tool])))
    for (const path of tools) chmodSync(join(repository.path, path), 0o755)
  })
  afterEach(() => repository.dispose())

  const commit = (fails = '') => {
    const calls = join(repository.path, 'calls')
    rmSync(calls, { force: true })
    const { status, stderr } = spawnSync(
      'git',
      ['-c', `core.hooksPath=${join(root, '.githooks')}`, ...person, 'commit', '-q', '-m', 'a commit'],
      { cwd: repository.path, encoding: 'utf8', env: { ...testGitEnvironment, CALLS: calls, FAILS: fails } },
    )
    const called = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []
    return { status, stderr, called }
  }

  it('checks formatting and lint of the staged files, then the types', () => {
    writeFiles(repository.path, { 'a.ts': 'const a = 2\n', 'b c.json': '{}\n', 'page.md': 'Another.\n' })
    repository.git('add', 'a.ts', 'b c.json', 'page.md')
    repository.git('rm', '-q', 'gone.ts')
    deepEqual(commit(), {
      status: 0,
      stderr: '',
      called: [
        'biome ci --no-errors-on-unmatched --files-ignore-unknown=true a.ts b c.json',
        'eslint --no-warn-ignored a.ts',
        'npm run -s typecheck',
      ],
    })
  })

  it('checks nothing where no code is staged', () => {
    writeFiles(repository.path, { 'a.ts': 'const a = 2\n', 'page.md': 'Another.\n' })
    repository.git('add', 'page.md')
    deepEqual(commit(), { status: 0, stderr: '', called: [] })
  })

  for (const fails of ['biome', 'eslint', 'npm'])
    it(`refuses the commit where ${fails} fails`, () => {
      writeFiles(repository.path, { 'a.ts': 'const a = 2\n' })
      repository.git('add', 'a.ts')
      equal(commit(fails).status, 1)
      equal(commit().status, 0)
    })

  it('refuses a file that is staged in part, since the tools read the work tree', () => {
    writeFiles(repository.path, { 'a.ts': 'const a = 2\n' })
    repository.git('add', 'a.ts')
    writeFiles(repository.path, { 'a.ts': 'const a = 3\n' })
    const { status, stderr, called } = commit()
    equal(status, 1)
    match(stderr, /not staged; stage or stash them:\na\.ts\n/)
    deepEqual(called, [])
  })
})
