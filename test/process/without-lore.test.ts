import { equal, match } from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, it } from 'mocha'
import { type DaemonExit, runCommand, startDaemon } from '#test/support/daemon.js'
import { gitIn, repositoryOf, temporaryFolder, writeFiles } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

describe('a folder without lore', () => {
  const left: Array<() => void> = []
  afterEach(() => {
    for (const dispose of left.splice(0)) dispose()
  })

  const folder = (): string => {
    const { path, dispose } = temporaryFolder()
    left.push(dispose)
    return path
  }
  const repository = (files: Readonly<Record<string, string>>): string => {
    const { path, dispose } = repositoryOf(files)
    left.push(dispose)
    return path
  }

  const isRefused = async (path: string, why: RegExp): Promise<void> => {
    const before = readdirSync(path)
    const check = ({ code, stdout, stderr }: DaemonExit, command: string): void => {
      equal(code, 64, command)
      match(stderr, why)
      equal(stdout, '')
    }
    check(await runCommand(['serve', '--repo', path]), 'serve')
    for (const args of [
      ['doctor', '--repo', path],
      ['adopt', path],
      ['adopt', path, '--dry-run'],
      ['token', 'list', '--repo', path],
      ['token', 'mint', '--repo', path, '--name', 'bot', '--capability', 'entity.read'],
      ['keys', 'list', '--repo', path],
      ['keys', 'rotate', '--repo', path, '--town', 'Arkadia'],
      ['keys', 'revoke', '--repo', path, '--town', 'Arkadia'],
    ])
      check(await runInProcess(...args), args.join(' '))
    equal(readdirSync(path).join(), before.join(), 'something was made there')
  }

  it('that is empty is refused with 64 and what to do', () =>
    isRefused(folder(), /is empty\. Name the lore checkout, or make .* with `kronika init DIR`\.$/m))

  it('that is a bare repository is refused with the command that clones it', async () => {
    const path = folder()
    gitIn(path, 'init', '-q', '--bare')
    await isRefused(path, /is a bare repository, .* Clone it with `git clone \S+ DIR`, and name DIR\.$/m)
  })

  it('that is a repository without a commit is refused', () =>
    isRefused(repository({}), /is a git repository without a commit, .* Commit the lore\./))

  it('that is a clone of a remote whose HEAD names no branch is refused with its branches and git switch', async () => {
    const remote = repository({ 'encje/indeks.md': '' })
    gitIn(remote, 'branch', '-M', 'lore')
    gitIn(remote, 'branch', 'zapas')
    gitIn(remote, 'symbolic-ref', 'HEAD', 'refs/heads/brak')
    const path = join(folder(), 'klon')
    gitIn(remote, 'clone', '-q', remote, path)
    const { code, stderr } = await runCommand(['serve', '--repo', path])
    equal(code, 64, stderr)
    match(
      stderr,
      /no branch checked out: .* The remote has lore, zapas\. Check one out: `git -C \S+ switch lore`\./,
    )
    gitIn(path, 'switch', '-q', 'lore')
    equal((await runInProcess('doctor', '--repo', path, '--json')).stderr, '')
  })

  it('that is a repository of something else is refused, and told what lore is known by', () =>
    isRefused(
      repository({ 'README.md': '# Coś\n### Instalacja 2.0\n', 'src/main.ts': '' }),
      /has no lore: no \.svc\/format\.json, no encje\/, no legacy file .* no session header/,
    ))

  it('that is a plain directory of something else is refused', async () => {
    const path = folder()
    writeFiles(path, { 'notatki.txt': 'nic' })
    await isRefused(path, /has no lore/)
    equal(existsSync(join(path, '.svc')), false)
  })

  for (const [sign, files] of [
    ['a roster', { 'Gracze.md': '## Solmyr\n' }],
    ['a registry', { 'rejestr/1-npc-ent.md': '## NPC\n* Orrin\n' }],
    ['a file of a character', { 'Postaci/Gracze/Wit.md': '# Wit\n' }],
    ['an index', { 'encje/indeks.md': '### Orrin\n- @typ: NPC\n' }],
    ['a session', { 'Wątki/Droga.md': '# Droga\n\n### 2026-02-01, Początek, Solmyr\n' }],
  ] as const)
    it(`but for ${sign} of a repository that is not adopted is read as before`, async () => {
      const { code, stdout } = await runInProcess('doctor', '--repo', repository(files))
      equal(code, 65)
      match(stdout, /^adopt first: kronika adopt /m)
    })

  it('but for a file of a repository that is not adopted is served as before', async () => {
    const daemon = await startDaemon(['serve', '--repo', repository({ 'Gracze.md': '## Solmyr\n' })])
    match(daemon.stderr(), /"reason":"SchemaTooOld"/)
    equal(await daemon.stop(), 0)
  })
})
