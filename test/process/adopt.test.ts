import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { getJson, startDaemon } from '#test/support/daemon.js'
import { legacyWorld } from '#test/support/legacy/legacy-world.js'
import { type Repository, repositoryOf, writeFiles } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

describe('kronika adopt', () => {
  let repository: Repository
  beforeEach(() => {
    repository = repositoryOf(legacyWorld)
  })
  afterEach(() => repository.dispose())

  it('previews without a byte written', async () => {
    const ended = await runInProcess('adopt', repository.path, '--dry-run')
    equal(ended.code, 0, ended.stderr)
    match(ended.stdout, /would adopt/)
    equal(repository.git('status', '--porcelain'), '')
    equal(repository.git('rev-list', '--count', 'HEAD'), '1')
    match(ended.stdout, /SUMA/)
    equal(existsSync(join(repository.path, '.svc/state')), false)
  })

  it('previews on a dirty tree that the real run would refuse it, and lists the files', async () => {
    writeFiles(repository.path, { 'Gracze.md': '## Ktoś\n', 'encje/indeks.md': 'szkic\n' })
    const dry = await runInProcess('adopt', repository.path, '--dry-run')
    equal(dry.code, 0, dry.stderr)
    const json = await runInProcess('adopt', repository.path, '--dry-run', '--json')
    const { Dirty } = JSON.parse(json.stdout) as { readonly Dirty: ReadonlyArray<string> }
    ok(Dirty.includes('Gracze.md'), json.stdout)
    const said = `adoption would be refused now (WorkTreeDirty). Commit or stash the changes in ${Dirty.length} file`
    ok(dry.stdout.includes(said), dry.stdout)
    for (const file of Dirty) ok(dry.stdout.includes(`\n    ${file}\n`), file)
    const made = await runInProcess('adopt', repository.path, '--json')
    equal(made.code, 65)
    deepEqual((JSON.parse(made.stderr) as { readonly files: ReadonlyArray<string> }).files, Dirty)
  })

  it('prints suggestions, credentials to revoke first, the files it changes and what becomes of the old ones', async () => {
    const { stdout } = await runInProcess('adopt', repository.path, '--dry-run')
    const lines = stdout.split('\n')
    match(lines[0] ?? '', /^revoke first: \d+ credentials? in plain text/)
    const at = (pattern: RegExp): number => lines.findIndex(line => pattern.test(line))
    ok(at(/\[WebhookToRevoke\]$/) === 1, stdout)
    ok(at(/^ {4}Revoke it, /) === 2, stdout)
    ok(at(/\[(?!\w+ToRevoke)\w+\]$/) > lines.findLastIndex(line => /ToRevoke\]$/.test(line)))
    const changed = JSON.parse(
      (await runInProcess('adopt', repository.path, '--dry-run', '--json')).stdout,
    ) as {
      readonly Files: ReadonlyArray<string>
    }
    const from = at(/^files that the commit would change: \d+$/)
    deepEqual(
      lines.slice(from + 1, from + 1 + changed.Files.length).map(line => line.trim()),
      changed.Files,
    )
    const kept = at(/^legacy files that stay unchanged/)
    ok(kept > from && lines.slice(kept).includes('    Gracze.md'), stdout)
    doesNotMatch(stdout, /^\+\+\+ /m)
  })

  it('shows the changes with --diff, without credentials, and adopts as it showed', async () => {
    const dry = await runInProcess('adopt', repository.path, '--dry-run', '--diff')
    match(dry.stdout, /^\+### Kowal Jaromir$/m)
    doesNotMatch(dry.stdout, /klucz-wierzby|drugi-klucz/)
    const made = await runInProcess('adopt', repository.path, '--diff')
    equal(made.code, 0, made.stderr)
    const diffIn = (text: string): string =>
      text.slice(text.search(/^--- /m)).replace(/"at":"[^"]*","by"/g, '"by"')
    equal(diffIn(made.stdout), diffIn(dry.stdout))
    match(made.stdout, /^files that the commit changes: \d+$/m)
  })

  it('is what doctor says first before adoption, and no more after it', async () => {
    const before = await runInProcess('doctor', '--repo', repository.path)
    match(before.stdout, /^adopt first: kronika adopt .* --dry-run/m)
    ok(before.stdout.split('\n').length < 16, before.stdout)
    await runInProcess('adopt', repository.path)
    doesNotMatch((await runInProcess('doctor', '--repo', repository.path)).stdout, /adopt first/)
  })

  it('leaves names that no block answers to, of which doctor lists the nearest', async () => {
    const world = repositoryOf({
      'Gracze.md': '# Gracze\n\n## Lista\n\n### Wierzba\n\n- ID Krainy: 4101\n',
      'entities.md':
        '## Postać\n\n* Lipa\n    - @lokacja: Karczna\n    - @należy_do: Wiezba\n\n## Lokacja\n\n* Karczma\n',
    })
    await runInProcess('adopt', world.path)
    const { stdout } = await runInProcess('doctor', '--repo', world.path)
    world.dispose()
    match(
      stdout,
      /„Karczna” nie jest .*\[DanglingReference\]\n {4}Popraw nazwę, .* Najbliższe nazwy: Karczma\.$/m,
    )
    match(
      stdout,
      /„Wiezba” nie jest .*\[DanglingReference\]\n {4}Popraw nazwę, .* Najbliższe nazwy: Wierzba\.$/m,
    )
  })

  it('leaves a plain directory that a dry run refuses as it was', async () => {
    rmSync(join(repository.path, '.git'), { recursive: true })
    const before = readdirSync(repository.path, { recursive: true }).sort()
    const ended = await runInProcess('adopt', repository.path, '--dry-run')
    equal(ended.code, 65)
    match(ended.stderr, /^NoRepository/)
    deepEqual(readdirSync(repository.path, { recursive: true }).sort(), before)
  })

  it('says that there is nothing to compare where nothing is legacy', async () => {
    const bare = repositoryOf({ 'encje/indeks.md': '### Erathia\n- @typ: Lokacja\n' })
    const ended = await runInProcess('adopt', bare.path, '--dry-run')
    bare.dispose()
    equal(ended.code, 0, ended.stderr)
    match(ended.stdout, /^parity: nothing to compare$/m)
  })

  it('adopts in one commit, and a second run makes none', async () => {
    for (let times = 0; times < 2; times += 1) {
      const ended = await runInProcess('adopt', repository.path, '--json')
      equal(ended.code, 0, ended.stderr)
      equal(repository.git('rev-list', '--count', 'HEAD'), '2')
      equal(repository.git('status', '--porcelain'), '')
    }
  })

  it('tells a second run that there is nothing to change', async () => {
    match(
      (await runInProcess('adopt', repository.path)).stdout,
      /^adopted .*\n(?:.*\n)*registry .* files written/m,
    )
    const again = await runInProcess('adopt', repository.path)
    equal(again.code, 0, again.stderr)
    const preview = await runInProcess('adopt', repository.path, '--dry-run')
    for (const { stdout } of [again, preview]) {
      match(stdout, /^nothing to change: already adopted/m)
      doesNotMatch(stdout, /files written|^adopted|would adopt/m)
    }
  })

  it('refuses a changed work tree, names the file and leaves it', async () => {
    writeFiles(repository.path, { 'Gracze.md': 'a draft' })
    const ended = await runInProcess('adopt', repository.path)
    equal(ended.code, 65)
    match(ended.stderr, /WorkTreeDirty[\s\S]*Gracze\.md/)
    equal(repository.git('rev-list', '--count', 'HEAD'), '1')
  })

  it('is served as too old before, and adopted by POST /import through the running daemon', async () => {
    const daemon = await startDaemon(['serve', '--repo', repository.path])
    const post = async (query: string) =>
      fetch(`${daemon.ready.url}/import${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${daemon.token}`, 'content-type': 'application/json' },
        body: '{}',
      })
    const state = async () => JSON.stringify((await getJson(daemon, '/schema/version')).body)
    try {
      match(await state(), /SchemaTooOld/)
      equal((await post('?dryRun=true')).status, 200)
      match(await state(), /SchemaTooOld/)
      match(await (await post('')).text(), /^\{"Applied":true,.*"SessionRegistry":\{"Applied":true,/)
      match(await state(), /Current/)
      match(
        await (await post('')).text(),
        /^\{"Applied":false,.*"SessionRegistry":\{"Applied":false,.*"Files":\[\]/,
      )
      equal(repository.git('rev-list', '--count', 'HEAD'), '2')
      equal(repository.git('status', '--porcelain'), '')
    } finally {
      await daemon.stop()
    }
  })
})
