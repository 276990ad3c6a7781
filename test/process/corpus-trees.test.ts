import { deepEqual, equal, match } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { oneSnapshot } from '#src/node/tree/open-corpus.js'
import { getJson, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

const transition = `${JSON.stringify({ seq: 1, op: 'enact', ref: 'statut', at: '2026-01-01', subject: 'Statut', by: 'Rada' })}\n`
const works = { 'governance/ledger/statut.jsonl': transition }

const lore = (corpora: Readonly<Record<string, string>>) => ({
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': JSON.stringify({ corpora }),
  '.gitignore': 'dziela/\nlink\n.svc/state/\n',
  'encje/indeks.md': '### Orrin\n- @typ: NPC\n',
})

describe('a tree of corpora.* that the committed configuration names', () => {
  let repository: Repository
  let outside: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    outside = temporaryFolder()
  })
  afterEach(() => {
    repository.dispose()
    outside.dispose()
  })

  /** What a started host says of its works tree and its roster, and what its log says of refused trees. */
  const served = async () => {
    const daemon = await startDaemon(['serve', '--repo', repository.path, '--port', '0'])
    const corpus = (await getJson(daemon, '/governance/refs')).body
    equal((await getJson(daemon, '/entities/Orrin')).status, 200)
    const health = (await getJson(daemon, '/health')).body
    equal(await daemon.stop(), 0)
    const refused = daemon
      .stderr()
      .split('\n')
      .filter(line => line.includes('"event":"corpus_refused"'))
    return { corpus: JSON.stringify(corpus), health: JSON.stringify(health), refused }
  }
  /** What a start reads, in this process: the ledger of the works tree, if there is one, and the refused trees. */
  const read = async () => {
    const loaded = await oneSnapshot(repository.path)
    if (isLeft(loaded)) throw new Error(loaded.left.reason)
    const { ledger, entities, findings } = loaded.right
    equal(entities.all.length, 1)
    return {
      ledger: ledger.corpus === null ? null : JSON.stringify([...ledger.transitions, ledger.findings]),
      refused: findings.filter(({ kind }) => kind === 'CorpusRefused').map(({ subject }) => subject),
    }
  }
  const doctor = async (): Promise<string> => (await runInProcess('doctor', '--repo', repository.path)).stdout

  /** Each group is one host: the trees of a configuration are judged one by one. */
  const hostile: ReadonlyArray<Readonly<Record<string, readonly [what: string, value: string]>>> = [
    {
      dziel: ['/proc', '/proc'],
      mc: ['/dev/zero', '/dev/zero'],
      logi: ['/sys as a tree that is read by nothing yet', '/sys'],
    },
    { dziel: ['/dev', '/dev'], mc: ['the root of the disk', '/'] },
    { dziel: ['a folder above the lore', '..'], mc: ['a path of 200 KB', 'x'.repeat(200_000)] },
    { dziel: ['a folder that is not there', 'nie-ma'], mc: ['the private state area', '.svc/state'] },
    { dziel: ['a folder of git', '.git'] },
    { dziel: ['a link out of the lore', 'link'] },
    { dziel: ['a path that reads like an option', '--help'] },
  ]
  for (const [at, group] of hostile.entries()) {
    // The built host is started for one group; the others differ in the reason alone.
    const isServed = at === 0
    const keys = Object.keys(group)
    const whats = Object.values(group).map(([what]) => what)
    it(`never keeps the host from starting: ${whats.join('; ')}`, async () => {
      const paths = Object.entries(group).map(([key, [, value]]) => [key, value] as const)
      repository = repositoryOf(lore(Object.fromEntries(paths)))
      symlinkSync('/proc', join(repository.path, 'link'))
      const { ledger, refused } = await read()
      equal(ledger, null)
      deepEqual(refused.toSorted(), keys.map(key => `corpora.${key}`).toSorted())
      if (isServed) {
        const { corpus, health, refused: logged } = await served()
        match(corpus, /"refs":\[\]|\[\]/)
        match(health, /"status":"ok"/)
        equal(logged.length, keys.length)
      }
      const findings = (await doctor()).split('\n').filter(line => line.includes('CorpusRefused'))
      for (const key of keys)
        equal(findings.filter(line => line.includes(`corpora.${key}`)).length, 1, `corpora.${key}`)
    })
  }

  for (const [what, key, value] of [
    ['has a NUL', 'dziel', 'a\u{0}b'],
    ['has a megabyte', 'mc', 'x'.repeat(1_000_000)],
  ] as const)
    it(`is no configuration that the host takes where the path ${what}, and the host starts`, async () => {
      repository = repositoryOf(lore({ [key]: value }))
      deepEqual(await read(), { ledger: null, refused: [] })
      match(await doctor(), /ConfigInvalid/)
      if (key === 'mc') return
      const { corpus, health } = await served()
      match(corpus, /"refs":\[\]|\[\]/)
      match(health, /"blocked":\[\{"code":"config_broken","count":1\}\]/)
    })

  it('is read where it is a checkout, wherever that lies, and a folder inside the lore', async () => {
    const elsewhere = repositoryOf(works)
    try {
      repository = repositoryOf(lore({ dziel: elsewhere.path }))
      const first = await served()
      deepEqual(first.refused, [])
      match(first.corpus, /statut/)
      repository.dispose()
      repository = repositoryOf({ ...lore({ dziel: 'dziela' }) })
      mkdirSync(join(repository.path, 'dziela/governance/ledger'), { recursive: true })
      writeFileSync(join(repository.path, 'dziela/governance/ledger/statut.jsonl'), transition)
      const second = await read()
      deepEqual(second.refused, [])
      match(second.ledger ?? '', /statut/)
      repository.dispose()
      repository = repositoryOf({ ...lore({ dziel: '.' }), ...works })
      const itself = await read()
      deepEqual(itself.refused, [])
      match(itself.ledger ?? '', /statut/)
    } finally {
      elsewhere.dispose()
    }
  })

  it('is read by the names of the layout alone, past pipes, devices, links and a crowd of other files', async () => {
    repository = repositoryOf(lore({ dziel: 'dziela' }))
    const at = (path: string): string => join(repository.path, 'dziela', path)
    mkdirSync(at('governance/ledger'), { recursive: true })
    mkdirSync(at('inne'))
    execFileSync('mkfifo', [at('inne/potok.md'), at('governance/ledger/potok.jsonl')])
    symlinkSync('/dev/zero', at('governance/ledger/zero.jsonl'))
    symlinkSync('/proc', at('inne/proc'))
    symlinkSync('/dev/zero', at('governance/calendar.json'))
    writeFileSync(at('governance/ledger/statut.jsonl'), transition)
    for (let file = 0; file < 3000; file += 1) writeFileSync(at(`inne/${file}.md`), '')
    const { ledger, refused } = await read()
    deepEqual(refused, [])
    match(ledger ?? '', /statut/)
  })

  it('counts as absent with a finding where a folder of it has more files than are read', async () => {
    repository = repositoryOf(lore({ dziel: 'dziela' }))
    const folder = join(repository.path, 'dziela/governance/ledger')
    mkdirSync(folder, { recursive: true })
    for (let file = 0; file <= 10_000; file += 1) writeFileSync(join(folder, `${file}.jsonl`), '')
    await read()
    match(await doctor(), /folder ma więcej niż 10000 nazw.*CorpusRefused/)
  })
})
