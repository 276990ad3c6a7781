import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { chmodSync, existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { binary, runCommand, startDaemon } from '#test/support/daemon.js'
import { type Fields, isFields } from '#test/support/matching.js'
import { cloneOf, commitIn, gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

const ledger = '.svc/pu/batches.jsonl'
const session = (header: string, points: string): string =>
  `### ${header}\n\nOpis.\n\n- @PU:\n    - ${points}\n\n`
const bridge = '2026-05-10, Most, Solmyr'
const files = {
  '.svc/format.json': '{"format": 2}\n',
  '.svc/config.json': '{"server": {"publish_mode": "push"}}\n',
  'encje/indeks.md': '### Wit\n- @typ: Postać\n- @pu_startowe: 20\n',
  'sesje/maj.md': session(bridge, 'Wit: 0.5'),
}

describe('kronika enact award', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let bare: string
  let clone: string
  beforeEach(() => {
    folder = temporaryFolder()
    bare = join(folder.path, 'bare.git')
    clone = join(folder.path, 'clone')
    gitIn(folder.path, 'init', '-q', '--bare', '-b', 'main', bare)
    cloneOf(bare, clone)
    change(clone, files)
  })
  afterEach(() => folder.dispose())

  /** Commits files on a clone and pushes them. */
  const change = (repo: string, changed: Readonly<Record<string, string>>): void => {
    writeFiles(repo, changed)
    commitIn(repo, 'test')
    gitIn(repo, 'push', '-q', 'origin', 'HEAD:main')
  }
  const another = (name: string): string => {
    const path = join(folder.path, name)
    cloneOf(bare, path)
    return path
  }
  const award = (repo: string, ...options: ReadonlyArray<string>) =>
    runInProcess('enact', 'award', '--repo', repo, '--month', '2026-05', ...options)
  const fieldsOf = (text: string): Fields => {
    const json: unknown = JSON.parse(text)
    ok(isFields(json), text)
    return json
  }
  const hasLedger = (repo: string, at: string): boolean =>
    gitIn(repo, 'ls-tree', '-r', '--name-only', at).includes(ledger)
  const rows = (): ReadonlyArray<Fields> =>
    gitIn(bare, 'show', `main:${ledger}`)
      .split('\n')
      .filter(line => line !== '')
      .map(fieldsOf)

  it('settles a month on a clone, pushes it, and names the workflow in the commit', async () => {
    const { code, stdout, stderr } = await award(clone)
    equal(code, 0, stderr)
    equal(stdout, 'settled 2026-05: sessions 1, characters 1\n    Wit  +1.50  SUMA 20.00 → 21.50\n')
    equal(gitIn(bare, 'rev-parse', 'main'), gitIn(clone, 'rev-parse', 'HEAD'))
    match(gitIn(bare, 'log', '-1', '--format=%B', 'main'), /^Svc-Route: POST \/workflows\/award-pu$/m)
    deepEqual(
      rows().map(row => row['sessions']),
      [[bridge]],
    )
    equal(gitIn(clone, 'status', '--porcelain', '--untracked-files=no'), '')
    const again = await award(clone)
    deepEqual([again.code, again.stdout], [0, 'nothing to settle in 2026-05; sessions settled before: 1\n'])
    equal(rows().length, 1)
  })

  it('settles a month once where several clones do it at once, and tells the others', async () => {
    const clones = [clone, another('second'), another('third')]
    const ended = await Promise.all(clones.map(repo => award(repo, '--json')))
    deepEqual(
      ended.map(({ code }) => code),
      [0, 0, 0],
      ended.map(({ stderr }) => stderr).join(''),
    )
    const answers = ended.map(({ stdout }) => fieldsOf(stdout))
    equal(answers.filter(answer => answer['Applied'] === true).length, 1)
    deepEqual(answers.map(answer => answer['SkippedAlreadyCounted']).toSorted(), [0, 1, 1])
    equal(rows().length, 1)
    match(gitIn(bare, 'show', 'main:encje/indeks.md'), /^- @pu_suma: 21\.50$/m)
  })

  it('plans on what others pushed since the clone was made', async () => {
    change(another('other'), {
      'sesje/maj.md': `${files['sesje/maj.md']}${session('2026-05-30, Późna, Solmyr', 'Wit: 1')}`,
    })
    const { code, stdout, stderr } = await award(clone, '--json')
    equal(code, 0, stderr)
    deepEqual(fieldsOf(stdout)['CountedSessions'], [bridge, '2026-05-30, Późna, Solmyr'])
  })

  it('plans again where another host pushed between its fetch and its push', async () => {
    const other = another('other')
    writeFiles(other, { 'notatki.md': 'Zapis.\n' })
    const faster = commitIn(other, 'test')
    const hook = join(bare, 'hooks/pre-receive')
    const push = `env -u GIT_DIR -u GIT_QUARANTINE_PATH -u GIT_OBJECT_DIRECTORY git -C '${other}' push -q`
    writeFiles(bare, { 'hooks/pre-receive': `#!/bin/sh\n[ -e beaten ] || { touch beaten; ${push}; }\n` })
    chmodSync(hook, 0o755)
    const { code, stderr } = await award(clone)
    equal(code, 0, stderr)
    ok(existsSync(join(bare, 'beaten')))
    equal(gitIn(bare, 'rev-parse', 'main^'), faster)
    equal(rows().length, 1)
  })

  it('writes nothing while the remote is away, and ends with 76', async () => {
    renameSync(bare, `${bare}.away`)
    const { code, stdout, stderr } = await award(clone)
    deepEqual([code, stdout], [76, ''])
    match(stderr, /^NotPublished: The remote was not reached/)
    ok(!hasLedger(clone, 'HEAD'))
    renameSync(`${bare}.away`, bare)
    equal((await award(clone)).code, 0)
    equal(rows().length, 1)
  })

  it('shows in a dry run what it would settle and why each session counts, and leaves no trace', async () => {
    const silent = session('2026-05-12, Cicha, Solmyr', 'Wit: 1').replace('- @PU:\n    - Wit: 1\n', '')
    change(clone, { 'sesje/maj.md': `${files['sesje/maj.md']}${silent}` })
    const head = gitIn(clone, 'rev-parse', 'HEAD')
    const { code, stdout, stderr } = await award(clone, '--dry-run')
    equal(code, 0, stderr)
    match(stdout, /^would settle 2026-05: sessions 1, characters 1$/m)
    match(stdout, /^ {4}counts +2026-05-10, Most, Solmyr$/m)
    match(stdout, /^ {4}has no PU +2026-05-12, Cicha, Solmyr$/m)
    equal(gitIn(clone, 'rev-parse', 'HEAD'), head)
    ok(!existsSync(join(clone, '.svc/state')))
  })

  it('refuses a month that a name stops with 65, says where, and writes nothing', async () => {
    change(clone, { 'sesje/maj.md': session(bridge, 'Witt: 0.5') })
    for (const options of [[], ['--dry-run']]) {
      const { code, stdout, stderr } = await award(clone, ...options)
      equal(code, 65)
      match(
        `${stdout}${stderr}`,
        /^ {4}sesje\/maj\.md:6: Witt means no character, or several\. Perhaps Wit\.$/m,
      )
    }
    const json = await award(clone, '--json')
    deepEqual([json.code, fieldsOf(json.stderr)['error']], [65, 'AwardBlocked'])
    ok(!hasLedger(bare, 'main'))
  })

  it('does not run in a checkout that a daemon serves, except for a dry run', async () => {
    const daemon = await startDaemon(['serve', '--repo', clone])
    try {
      const { code, stderr } = await award(clone)
      deepEqual([code, /is held by process \d+, kronika serve/.test(stderr)], [75, true], stderr)
      equal((await award(clone, '--dry-run')).code, 0)
    } finally {
      await daemon.stop()
    }
    ok(!hasLedger(bare, 'main'))
  })

  it('commits on the clone alone in mode none, and says so; in mode mr it does not run', async () => {
    change(clone, { '.svc/config.json': '{}\n' })
    const { code, stderr } = await award(clone)
    equal(code, 0, stderr)
    match(stderr, /publish_mode is none, so the commit stays in this clone/)
    deepEqual([hasLedger(clone, 'HEAD'), hasLedger(bare, 'main')], [true, false])
    gitIn(clone, 'reset', '-q', '--hard', 'origin/main')
    change(clone, { '.svc/config.json': '{"server": {"publish_mode": "mr"}}\n' })
    const refused = await award(clone)
    deepEqual([refused.code, hasLedger(clone, 'HEAD')], [64, false])
    match(refused.stderr, /publish_mode is mr/)
  })

  it('signs the commit with the key that a town has published', async () => {
    const key = await runInProcess('keys', 'rotate', '--repo', clone, '--town', 'Tuzmer')
    equal(key.code, 0, key.stderr)
    gitIn(clone, 'push', '-q', 'origin', 'HEAD:main')
    equal((await award(clone, '--town', 'Tuzmer')).code, 0)
    match(gitIn(bare, 'log', '-1', '--format=%B', 'main'), /^Svc-Signature: Tuzmer/m)
  })

  it('is run by kronika workload where CI is the owner, and not elsewhere', async () => {
    const run = async () => {
      const inner = [process.execPath, binary, 'enact', 'award', '--repo', clone, '--month', '2026-05']
      return runCommand(['workload', 'settlement', '--repo', clone, '--', ...inner])
    }
    change(clone, {
      '.svc/config.json': '{"server": {"publish_mode": "push"}, "schedules": {"settlement": "off"}}\n',
    })
    deepEqual([(await run()).code, hasLedger(bare, 'main')], [0, false])
    change(clone, { '.svc/config.json': files['.svc/config.json'] })
    const { code, stdout, stderr } = await run()
    deepEqual([code, stdout.split('\n')[0]], [0, 'settled 2026-05: sessions 1, characters 1'], stderr)
    equal(rows().length, 1)
  })

  it('refuses a month that is none, and a read-only clone', async () => {
    const bad = await runInProcess('enact', 'award', '--repo', clone, '--month', '2026-13')
    equal(bad.code, 64)
    equal((await runInProcess('enact', 'award', '--repo', clone)).code, 64)
    change(clone, { '.svc/config.json': '{"server": {"publish_mode": "push", "read_only": true}}\n' })
    const { code, stderr } = await award(clone)
    deepEqual([code, /^ReadOnly: .*server\.read_only/m.test(stderr)], [65, true], stderr)
  })
})
