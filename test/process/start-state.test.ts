import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { exitCodes } from '#protocol/exit-code.js'
import { holdCheckout } from '#src/node/start/checkout.js'
import { type Daemon, postJson, runCommand, startDaemon } from '#test/support/daemon.js'
import { type Repository, repositoryOf, temporaryFolder, writeFiles } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'
import { root } from '#test/tidy/sources.js'

type Told = ReadonlyArray<Readonly<Record<string, unknown>>>

/** The records of a log, without the lines that are none. */
const recordsIn = (stderr: string): Told =>
  stderr
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map((line): unknown => JSON.parse(line))
    .map(read => (typeof read === 'object' && read !== null ? { ...read } : {}))

const record = (told: Told, event: string) => told.find(one => one['event'] === event) ?? null

const recordOf = (told: Told, event: string): Readonly<Record<string, unknown>> => {
  const found = record(told, event)
  if (found === null) throw new Error(`no record ${event} in ${JSON.stringify(told)}`)
  return found
}

describe('the state area at a start', () => {
  let repository: Repository
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => {
    repository = repositoryOf({ '.svc/format.json': '{"format": 2}\n', 'encje/indeks.md': '' })
    folder = temporaryFolder()
  })
  afterEach(() => {
    repository.dispose()
    folder.dispose()
  })

  const inState = (name: string): string => join(repository.path, '.svc/state', name)
  const start = (...flags: ReadonlyArray<string>): Promise<Daemon> =>
    startDaemon(['serve', '--repo', repository.path, ...flags])
  /** Starts a daemon and ends it; returns what it logged. */
  const loggedBy = async (...flags: ReadonlyArray<string>): Promise<Told> => {
    const daemon = await start(...flags)
    equal(await daemon.stop(), 0)
    return recordsIn(daemon.stderr())
  }
  /** Holds the checkout as a start does, in this process; returns what `serve` would log of the state area. */
  const notedBy = async (state?: string): Promise<Told> => {
    const held = await holdCheckout(repository.path, state, 'serve')
    if (isLeft(held)) throw new Error(held.left.reason)
    const { notes, remember, release } = held.right
    remember()
    await release()
    return notes.map(({ event, fields }) => ({ event, ...fields }))
  }
  const loseRuntime = (): void => {
    for (const name of ['', '-wal', '-shm']) rmSync(inState(`runtime.db${name}`), { force: true })
  }
  const tellsNoLoss = (told: Told): void => {
    for (const event of ['state_lost', 'runtime_lost', 'state_elsewhere', 'checkout_behind'])
      equal(record(told, event), null)
  }

  it('is written into the git directory by the first start, and a second start tells of no loss', async () => {
    tellsNoLoss(await loggedBy())
    const kept: unknown = JSON.parse(readFileSync(join(repository.path, '.git/kronika/state.json'), 'utf8'))
    deepEqual(kept, {
      path: join(repository.path, '.svc/state'),
      id: readFileSync(inState('id'), 'utf8').trim(),
    })
    tellsNoLoss(await loggedBy())
    equal(repository.git('status', '--porcelain'), '')
  })

  it('that lost runtime.db is an error line which says what was lost, once', async () => {
    await notedBy()
    loseRuntime()
    const lost = recordOf(await loggedBy(), 'runtime_lost')
    deepEqual(lost['lost'], ['named tokens', 'logins', 'jobs', 'open intents'])
    equal(lost['level'], 50)
    tellsNoLoss(await notedBy())
  })

  it('that is gone is an error line which says what was lost, once, also where a command meets it first', async () => {
    await notedBy()
    rmSync(join(repository.path, '.svc/state'), { recursive: true })
    const lost = recordOf(await loggedBy(), 'state_lost')
    match(JSON.stringify(lost), /"level":50.*"named tokens".*"machine token"/)
    match(JSON.stringify(lost), /"mend":"[^"]*kronika token mint[^"]*machine token[^"]*kronika keys rotate/)
    tellsNoLoss(await notedBy())
    loseRuntime()
    const listed = await runInProcess('token', 'list', '--repo', repository.path)
    match(
      listed.stderr,
      /^kronika token: .*runtime\.db is gone; an empty one replaces it; .*kronika token mint/,
    )
    ok(record(await notedBy(), 'runtime_lost') !== null)
    tellsNoLoss(await notedBy())
  })

  it('is gone: a start tells of the loss after commands, and after a start that was refused', async () => {
    await notedBy()
    const list = () => runInProcess('token', 'list', '--repo', repository.path)
    const busy = createServer()
    await new Promise<void>(resolve => busy.listen(0, '127.0.0.1', resolve))
    const address = busy.address()
    const port = typeof address === 'object' && address !== null ? String(address.port) : ''
    try {
      for (const [event, lose] of [
        ['runtime_lost', loseRuntime],
        ['state_lost', () => rmSync(join(repository.path, '.svc/state'), { recursive: true })],
      ] as const) {
        lose()
        const refused = await runCommand(['serve', '--repo', repository.path, '--port', port])
        equal(refused.code, exitCodes.intensity)
        for (let nth = 0; nth < 2; nth += 1) match((await list()).stderr, /is gone; an empty one replaces it/)
        ok(record(await notedBy(), event) !== null, event)
        equal((await list()).stderr, '')
        tellsNoLoss(await notedBy())
      }
    } finally {
      busy.close()
    }
  })

  it('whose copy of runtime.db a person puts back after a command met the loss is not told as lost', async () => {
    await notedBy()
    const copy = readFileSync(inState('runtime.db'))
    loseRuntime()
    await runInProcess('token', 'list', '--repo', repository.path)
    loseRuntime()
    writeFileSync(inState('runtime.db'), copy)
    tellsNoLoss(await notedBy())
  })

  it('that is gone is told by kronika token and keys as by a start, and no new one is made unsaid', async () => {
    const gone = /\.svc\/state is gone.*; lost with it: named tokens, .*machine token, private fleet key/
    await notedBy()
    const run = (...args: ReadonlyArray<string>) => runInProcess(...args, '--repo', repository.path)
    rmSync(join(repository.path, '.svc/state'), { recursive: true })
    const list = await run('keys', 'list')
    match(list.stderr, new RegExp(`^kronika keys list: .*${gone.source}`, 'm'))
    equal((await run('keys', 'revoke', '--town', 'Arkadia')).code, 64)
    equal(existsSync(inState('')), false)
    const rotated = await run('keys', 'rotate', '--town', 'Arkadia')
    match(rotated.stderr, new RegExp(`^kronika keys rotate: .*${gone.source}`, 'm'))
    equal(rotated.code, 0)
    ok(record(await notedBy(), 'state_lost') !== null)

    rmSync(join(repository.path, '.svc/state'), { recursive: true })
    const listed = await run('token', 'list')
    match(listed.stderr, new RegExp(`^kronika token: .*${gone.source}`))
    deepEqual([listed.code, listed.stdout], [0, 'no named tokens\n'])
    ok(record(await notedBy(), 'state_lost') !== null)
    tellsNoLoss(await notedBy())
  })

  it('elsewhere than before is named by kronika token and keys', async () => {
    await notedBy()
    const state = join(folder.path, 'typo')
    const before = join(repository.path, '.svc/state')
    const listed = await runInProcess('token', 'list', '--repo', repository.path, '--state', state)
    equal(listed.code, 64)
    ok(listed.stderr.includes(`was served with ${before}; give --state ${before}`))
    const flags = ['--repo', repository.path, '--state', state, '--town', 'Arkadia']
    match(
      (await runInProcess('keys', 'rotate', ...flags)).stderr,
      /was last served with the state area .* --state .*\.svc\/state/,
    )
  })

  it('lies elsewhere: kronika token says so, also while a host holds the checkout', async () => {
    const other = join(folder.path, 'other')
    await notedBy(other)
    await notedBy()
    const area = join(repository.path, '.svc/state')
    const list = (...flags: ReadonlyArray<string>) =>
      runInProcess('token', 'list', '--repo', repository.path, ...flags)
    const idle = await list('--state', other)
    equal(idle.code, 0, idle.stderr)
    ok(idle.stderr.includes(`with the state area ${area}, not ${other}`), idle.stderr)
    equal((await list()).stderr, '')
    const daemon = await start()
    try {
      const held = await list('--state', other)
      equal(held.code, exitCodes.held)
      match(held.stderr, /^kronika token: .* is held by process \d+, .*\. Give --state \S+\.svc\/state\.\n$/)
      rmSync(area, { recursive: true })
      const gone = await list()
      equal(gone.code, exitCodes.held)
      match(
        gone.stderr,
        /^kronika token: .*\.svc\/state is gone.*\. GET \/sync of that host says what to do\.\n$/,
      )
    } finally {
      await daemon.stop('SIGKILL')
    }
  })

  it('elsewhere than before is a warning that names the former one', async () => {
    await notedBy()
    const state = join(folder.path, 'other')
    const warned = recordOf(await loggedBy('--state', state), 'state_elsewhere')
    equal(warned['level'], 40)
    ok(String(warned['mend']).includes(`--state ${join(repository.path, '.svc/state')}`))
    tellsNoLoss(await notedBy(state))
  })

  it('whose runtime.db went with a kill leaves no staged deletion that no command mends', async () => {
    const daemon = await start()
    const written = await postJson(daemon, '/entities', { name: 'Kotlina Żubrów', type: 'Lokacja' })
    equal(written.status, 201)
    await daemon.stop('SIGKILL')
    // As a kill between the commit and the checkout leaves it.
    repository.git('read-tree', 'HEAD~1')
    repository.git('checkout-index', '-a', '-f')
    loseRuntime()
    match(repository.git('status', '--porcelain'), /encje\//)
    const behind = recordOf(await notedBy(), 'checkout_behind')
    const command = /run: (git .*)$/.exec(String(behind['mend']))?.[1] ?? 'false'
    execFileSync('bash', ['-c', command])
    equal(repository.git('status', '--porcelain'), '')
    tellsNoLoss(await notedBy())
  })

  it('that lies where no folder can be made ends with 74 and does not spin', async () => {
    const ended = await runCommand(['serve', '--repo', repository.path, '--state', '/proc/x'])
    equal(ended.code, exitCodes.stateUnusable)
    match(ended.stderr, /^kronika serve: the state area \/proc\/x cannot be written: .*--state\n/)
    ok(record(recordsIn(ended.stderr), 'state_not_writable') !== null, ended.stderr)
    equal(existsSync(join(repository.path, '.git/kronika/state.json')), false)
  })

  it('with a damaged file ends with 74 and another event than one that cannot be written', async () => {
    const damaged = 'what a torn disk left. '.repeat(50)
    for (const [name, words] of [
      ['runtime.db', /^kronika serve: .*runtime\.db is damaged .* move runtime\.db, /],
      ['fence.db', /^kronika serve: .* is damaged .*; fence\.db holds no data and may be removed/],
    ] as const) {
      writeFiles(repository.path, { [`.svc/state/${name}`]: damaged })
      const ended = await runCommand(['serve', '--repo', repository.path])
      equal(ended.code, exitCodes.stateUnusable, name)
      match(ended.stderr, words)
      ok(record(recordsIn(ended.stderr), 'state_damaged') !== null, ended.stderr)
      equal(readFileSync(inState(name), 'utf8'), damaged, 'it is left as it is')
      rmSync(inState(name))
    }
    writeFileSync(join(folder.path, 'file'), '')
    const ended = await runCommand(['serve', '--repo', repository.path, '--state', join(folder.path, 'file')])
    equal(ended.code, exitCodes.stateUnusable)
    match(ended.stderr, /state area .* cannot be written/)
    ok(record(recordsIn(ended.stderr), 'state_not_writable') !== null, ended.stderr)
  })

  it('that cannot be used is not tried again by the unit, and a fault five times in five minutes', () => {
    const unit = readFileSync(join(root, 'deploy/systemd/kronika.service'), 'utf8')
    const { usage, noGit, stateUnusable, held } = exitCodes
    const kept = /^RestartPreventExitStatus=(.*)$/m.exec(unit)?.[1]?.split(' ').map(Number)
    deepEqual(kept, [usage, noGit, stateUnusable, held])
    match(unit, /^StartLimitIntervalSec=300\nStartLimitBurst=5$/m)
  })
})
