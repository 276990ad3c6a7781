import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as t from 'io-ts'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { getJson, postJson, runCommand, startDaemon } from '#test/support/daemon.js'
import { gitIn, headIn, temporaryFolder } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

const Made = t.type({
  directory: t.string,
  commit: t.string,
  files: t.array(t.string),
  next: t.array(t.type({ what: t.string, command: t.string })),
})

describe('kronika init', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    folder = temporaryFolder()
  })
  afterEach(() => folder.dispose())

  it('makes a repository that doctor passes and a host serves and writes', async () => {
    const path = join(folder.path, 'nowa/kronika')
    const ended = await runCommand(['init', path])
    equal(ended.code, 0, ended.stderr)
    match(ended.stdout, /^\S+\/nowa\/kronika: a new lore repository, commit [0-9a-f]{12}\n {4}\.gitignore\n/)
    match(ended.stdout, /What to do next:\n1\. Add yourself to kontrybutorzy\.md.*\n {4}git -C /)
    match(ended.stdout, /^ {4}(node \S+main\.js|npx kronika) serve --repo \S+nowa\/kronika$/m)
    equal(gitIn(path, 'status', '--porcelain'), '')
    equal(gitIn(path, 'rev-list', '--count', 'main'), '1')

    const doctor = await runInProcess('doctor', '--repo', path)
    equal(doctor.code, 0, doctor.stdout)
    match(doctor.stdout, /^0 errors, 0 warnings, 1 info$/m)
    const adopted = await runInProcess('adopt', path, '--dry-run')
    match(adopted.stdout, /^nothing to change: already adopted /m)

    const daemon = await startDaemon(['serve', '--repo', path])
    equal(JSON.stringify((await getJson(daemon, '/people')).body).includes('Solmyr'), false)
    equal((await postJson(daemon, '/entities', { name: 'Karczma', type: 'Lokacja' })).status, 201)
    equal((await getJson(daemon, '/entities/Karczma')).status, 200)
    equal(await daemon.stop(), 0)
    equal(gitIn(path, 'status', '--porcelain'), '')
    match(gitIn(path, 'show', 'HEAD:encje/indeks.md'), /^# Indeks\n+### Karczma\n- @typ: Lokacja$/)
  })

  it('says the same as JSON, also in an empty folder that is there', async () => {
    const ended = await runCommand(['init', folder.path, '--json'])
    const made = Made.decode(JSON.parse(ended.stdout))
    if (made._tag === 'Left') throw new Error(ended.stdout)
    equal(made.right.commit, headIn(folder.path))
    deepEqual(made.right.files, gitIn(folder.path, 'ls-files').split('\n'))
    deepEqual(
      made.right.next.slice(-2).map(({ command }) => command.replace(folder.path, 'DIR')),
      ['git init --bare -b main FOLDER', 'git -C DIR remote add origin URL'],
    )
  })

  it('refuses a folder that is not empty, and changes nothing there', async () => {
    writeFileSync(join(folder.path, 'a.txt'), 'moje')
    const ended = await runCommand(['init', folder.path])
    equal(ended.code, 64)
    match(ended.stderr, /^kronika init: \S+ is not empty; name an empty or a new directory\.$/m)
    deepEqual(readdirSync(folder.path), ['a.txt'])
    const beside = join(folder.path, 'b.unfinished')
    mkdirSync(beside)
    writeFileSync(join(beside, 'a.txt'), 'moje')
    equal((await runCommand(['init', join(folder.path, 'b')])).code, 64)
    deepEqual(readdirSync(beside), ['a.txt'])
  })
})
