import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, afterEach, before, beforeEach, describe, it } from 'mocha'
import { holdCheckout, type Stop } from '#src/node/start/checkout.js'
import { type Daemon, eventually, getJson, runCommand, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf, temporaryFolder, writeFiles } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

const files = {
  '.svc/format.json': '{"format": 2}\n',
  'encje/indeks.md': '### Kupiec Orrin\n- @typ: NPC\n- @alias: Orrin\n\n### Erathia\n- @typ: Lokacja\n',
}

/** Why a start over a checkout is refused, before anything of it is read: what `serve` says and leaves with. */
const refuseStart = async (repo: string, state?: string): Promise<Stop> => {
  const held = await holdCheckout(repo, state, 'serve')
  if (isLeft(held)) return held.left
  await held.right.release()
  throw new Error('the start was not refused')
}

describe('kronika serve', () => {
  let repository: Repository
  let running: Array<Daemon>
  const start = async (...args: ReadonlyArray<string>): Promise<Daemon> => {
    const daemon = await startDaemon(['serve', '--repo', repository.path, ...args])
    running.push(daemon)
    return daemon
  }
  beforeEach(() => {
    repository = repositoryOf(files)
    running = []
  })
  afterEach(async () => {
    for (const daemon of running) if (daemon.process.exitCode === null) await daemon.stop('SIGKILL')
    repository.dispose()
  })

  it('prints one line on stdout, JSON lines on stderr, and drains on SIGTERM with 0', async () => {
    const daemon = await start('--town', 'Tuzmer')
    equal(daemon.ready.town, 'Tuzmer')
    equal(daemon.ready.pid, daemon.process.pid)
    equal(daemon.ready.state, join(repository.path, '.svc/state'))
    equal((await getJson(daemon, '/entities')).status, 200)
    equal(await daemon.stop(), 0)
    equal(daemon.stdout().trim().split('\n').length, 1)
    for (const line of daemon.stderr().trim().split('\n')) match(line, /^\{.*\}$/)
  })

  it('keeps git from committing another state folder of the work tree', async () => {
    const daemon = await start('--state', join(repository.path, 'var/stan hosta'))
    repository.git('add', '-A')
    equal(repository.git('status', '--porcelain'), '')
    equal(statSync(join(daemon.ready.state, 'machine.token')).mode & 0o777, 0o600)
    const { code, reason } = await refuseStart(repository.path, repository.path)
    equal(code, 64)
    match(reason, /is the checkout itself; name a folder of its own with --state/)
  })

  it('never serves what is not committed', async () => {
    writeFiles(repository.path, { 'encje/indeks.md': '### Szkic\n- @typ: NPC\n' })
    const daemon = await start()
    equal((await getJson(daemon, '/entities/Szkic')).status, 404)
    equal((await getJson(daemon, '/entities/Orrin')).status, 200)
  })

  it('is free again after kill -9', async () => {
    await (await start()).stop('SIGKILL')
    equal((await getJson(await start(), '/entities/Orrin')).status, 200)
  })

  it('leaves with 69 where there is no git, and says what to install', async () => {
    const folder = temporaryFolder()
    symlinkSync(process.execPath, join(folder.path, 'node'))
    const ended = await runCommand(['serve', '--repo', repository.path], { PATH: folder.path })
    equal(ended.code, 69)
    match(ended.stderr, /install git/)
    folder.dispose()
  })

  it('leaves with 64 for a directory that is not there', async () => {
    equal((await refuseStart(join(repository.path, 'nowhere'))).code, 64)
  })

  it('serves a plain directory read-only', async () => {
    rmSync(join(repository.path, '.git'), { recursive: true })
    writeFiles(repository.path, { '.svc/config.json': '{"server": {"selfheal_interval_ms": 100}}' })
    const daemon = await start()
    const health = await getJson(daemon, '/health')
    ok(typeof health.body === 'object' && health.body !== null && 'mode' in health.body)
    equal(health.body.mode, 'ReadOnly')
    writeFiles(repository.path, { 'encje/indeks-02.md': '### Później\n- @typ: NPC\n' })
    await eventually(
      () => getJson(daemon, `/entities/${encodeURIComponent('Później')}`),
      answer => answer.status === 200,
    )
  })

  it('answers beside a half-written and a 50 MB file', async () => {
    repository.commit({
      'encje/indeks-02.md': '### Połowa\n- @typ: NPC\n- @lokacja',
      'Wątki/wielki.md': Buffer.alloc(50 * 1024 * 1024, '- Lorem ipsum\n'),
    })
    const daemon = await start()
    equal((await getJson(daemon, `/entities/${encodeURIComponent('Połowa')}`)).status, 200)
    const doctor = await runCommand(['doctor', '--repo', repository.path])
    equal(doctor.code, 65)
    match(doctor.stdout, /Wątki\/wielki\.md: error: Plik ma 52428800 bajtów/)
  })

  it('keeps its defaults where the committed configuration is bad, and names a key that nothing reads', async () => {
    repository.commit({ '.svc/config.json': '{"server": {"read_only": "yes", "port": -1, "prot": 8123}}' })
    const daemon = await start()
    equal((await getJson(daemon, '/health')).status, 200)
    match(daemon.stderr(), /config_invalid/)
    match(daemon.stderr(), /"key":"server\.prot","reason":.*"mend":"Did you mean server\.port\?"/)
  })

  it('tells who names a folder of the lore as the state area to name another one, not to remove the lore', async () => {
    repository.commit({ 'encje/indeks.md': '### Orrin\n- @typ: NPC\n' })
    const state = join(repository.path, 'encje')
    const { code, reason } = await refuseStart(repository.path, state)
    equal(code, 64)
    match(reason, /has files of encje\/ in its commit; name another folder with --state\.$/)
    equal(readdirSync(state).length, 1)
  })

  it('refuses a state area that the commit brings, or that is reached through a link', async () => {
    repository.commit({ 'a.md': 'a' })
    writeFiles(repository.path, { '.svc/state/machine.token': 'A'.repeat(43) })
    repository.git('add', '-f', '.svc/state/machine.token')
    repository.git('commit', '-q', '-m', 'a token of my own')
    const planted = await refuseStart(repository.path)
    equal(planted.code, 64)
    match(planted.reason, /has files of \.svc\/state\/ in its commit/)
    repository.git('rm', '-q', '-r', '--cached', '.svc/state')
    repository.git('commit', '-q', '-m', 'gone')
    rmSync(join(repository.path, '.svc/state'), { recursive: true })
    const elsewhere = temporaryFolder()
    symlinkSync(elsewhere.path, join(repository.path, '.svc/state'))
    const linked = await refuseStart(repository.path)
    equal(linked.code, 64)
    match(linked.reason, /is a symbolic link/)
    elsewhere.dispose()
  })

  it('runs nothing that a hostile git configuration names', async () => {
    const folder = temporaryFolder()
    const mark = join(folder.path, 'mark')
    repository.git('config', 'core.fsmonitor', `touch ${mark}; false`)
    repository.git('config', 'extensions.partialClone', 'evil')
    repository.git('config', 'remote.evil.promisor', 'true')
    repository.git('config', 'remote.evil.url', repository.path)
    repository.git('config', 'remote.evil.uploadpack', `touch ${mark}; git-upload-pack`)
    const blob = execFileSync('git', ['rev-parse', 'HEAD:encje/indeks.md'], {
      cwd: repository.path,
      encoding: 'utf8',
    }).trim()
    rmSync(join(repository.path, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    await runInProcess('doctor', '--repo', repository.path)
    await runInProcess('adopt', repository.path, '--dry-run')
    equal(existsSync(mark), false)
    folder.dispose()
  })

  it('tells by doctor how the checkout stands', async () => {
    const head = repository.head()
    repository.git('update-ref', 'refs/svc/parked/host/1', head)
    repository.git('checkout', '-q', '--detach')
    const ended = await runInProcess('doctor', '--repo', repository.path)
    equal(ended.code, 65)
    match(ended.stdout, /^checkout HEAD: error: .*\[HeadOnNoBranch\]$/m)
    match(ended.stdout, /^checkout refs\/svc\/parked\/host\/1: warning: .*\[Parked\]$/m)
    match(ended.stdout, /^checkout origin: info: .*\[NoRemote\]$/m)
  })

  it('says first by doctor that a directory is no checkout', async () => {
    const folder = temporaryFolder()
    writeFiles(folder.path, { 'encje/indeks.md': '### Orrin\n- @typ: NPC\n' })
    const ended = await runInProcess('doctor', '--repo', folder.path)
    match(
      ended.stdout,
      /^Host:\ncheckout \/.*: info: This directory is not a git checkout\. .*\[NoGitCheckout\]\n +Name the lore checkout/,
    )
    folder.dispose()
  })

  it('writes nothing into a checkout for doctor', async () => {
    mkdirSync(join(repository.path, 'puste'), { recursive: true })
    const ended = await runInProcess('doctor', '--repo', repository.path, '--json')
    equal(ended.code, 0, ended.stdout)
    equal(readFileSync(join(repository.path, '.git/info/exclude'), 'utf8').includes('.svc/state'), false)
  })
})

describe('kronika serve, one process', () => {
  let repository: Repository
  let daemon: Daemon
  before(async () => {
    repository = repositoryOf({ ...files, '.svc/config.json': '{"server": {"selfheal_interval_ms": 0}}' })
    daemon = await startDaemon(['serve', '--repo', repository.path])
  })
  after(async () => {
    await daemon.stop('SIGKILL')
    repository.dispose()
  })

  it('leaves nothing in git status, and the token readable by its owner alone', () => {
    equal(repository.git('status', '--porcelain'), '')
    equal(statSync(join(daemon.ready.state, 'machine.token')).mode & 0o777, 0o600)
    equal(daemon.stderr().includes(daemon.token), false)
  })

  it('lists its table as the answer does', async () => {
    const listed = await runInProcess('routes', '--json')
    deepEqual(JSON.parse(listed.stdout), (await getJson(daemon, '/routes')).body)
  })

  it('serves what was committed beside it', async () => {
    repository.commit({ 'encje/indeks.md': `${files['encje/indeks.md']}\n### Nowa\n- @typ: NPC\n` })
    equal((await getJson(daemon, '/entities/Nowa')).status, 200)
  })

  it('refuses a second process with 75 and one record, and names the first', async () => {
    const second = await runCommand(['serve', '--repo', repository.path])
    equal(second.code, 75)
    match(second.stderr, new RegExp(`held by process ${String(daemon.ready.pid)}, kronika serve`))
    const records = second.stderr.split('\n').filter(line => line.startsWith('{'))
    equal(records.length, 1)
    match(records.join(), /"event":"start_refused"/)
    const adopting = await runInProcess('adopt', repository.path)
    equal(adopting.code, 75)
    const elsewhere = temporaryFolder()
    equal((await runCommand(['serve', '--repo', repository.path, '--state', elsewhere.path])).code, 75)
    elsewhere.dispose()
  })
})
