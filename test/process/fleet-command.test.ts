import { deepEqual, equal, match } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, it } from 'mocha'
import { FleetPeers } from '#protocol/fleet/peers.js'
import { binary, type Daemon, postJson, startDaemon } from '#test/support/daemon.js'
import { fleetText } from '#test/support/fleet/topologies.js'
import { jsonField } from '#test/support/json-field.js'
import { gitIn, temporaryFolder, writeFiles } from '#test/support/repository.js'
import { runInProcess } from '#test/support/run-in-process.js'

const towns = ['Deyja', 'Erathia']

describe('kronika fleet', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let daemon: Daemon
  const repo = (): string => join(folder.path, 'host')
  const fleet = (...args: ReadonlyArray<string>) => runInProcess('fleet', ...args, '--repo', repo())
  before(() => {
    folder = temporaryFolder()
    gitIn(folder.path, 'init', '-q', '-b', 'main', repo())
    writeFiles(repo(), {
      '.svc/format.json': '{"format": 2}\n',
      // A port on which nothing listens.
      '.svc/fleet.json': fleetText('Erathia', 1, towns, { Erathia: { url: 'http://127.0.0.1:1/v1/api' } }),
    })
    gitIn(repo(), 'add', '-A')
    gitIn(repo(), 'commit', '-q', '-m', 'a fleet')
    gitIn(folder.path, 'clone', '-q', '--bare', repo(), join(folder.path, 'bare.git'))
    gitIn(repo(), 'remote', 'add', 'origin', join(folder.path, 'bare.git'))
  })
  after(async () => {
    await daemon.stop()
    folder.dispose()
  })

  it('ends with 64 where no daemon serves the checkout, and says how to start one', async () => {
    for (const command of [['status'], ['status', '--watch'], ['takeover', '--reason', 'dark']]) {
      const { code, stdout, stderr } = await fleet(...command)
      deepEqual([code, stdout], [64, ''])
      match(
        stderr,
        /^NoDaemon: No daemon serves \S+\. Start one with kronika serve --repo \S+ --town TOWN, or /,
      )
    }
    const absent = await runInProcess('fleet', 'status', '--repo', join(folder.path, 'nothing'))
    equal(absent.code, 64)
    match(
      absent.stderr,
      /^NoFolder: There is no folder \S+\/nothing\. Name the checkout of the host with --repo\.$/m,
    )
    daemon = await startDaemon(['serve', '--repo', repo(), '--town', 'Deyja'])
    equal((await postJson(daemon, '/sync', {})).status, 200)
  })

  it('shows the apex, the towns and the refusals of a takeover', async () => {
    const { code, stdout } = await fleet('status')
    equal(code, 0)
    match(stdout, /^apex: Erathia; this host is Deyja$/m)
    match(stdout, /^Deyja +replica +this host +0 +\S+ min +now +candidate$/m)
    match(stdout, /^Erathia .* no: is_apex, (?:unreachable|not_observed)$/m)
    match(
      stdout,
      /^ {2}actuation_unavailable: This host cannot call the forge: SVC_FORGE_TOKEN, or the file/m,
    )
    match(stdout, /^No takeover was asked for on this host\.$/m)
    const json: unknown = JSON.parse((await fleet('status', '--json')).stdout)
    equal(FleetPeers.is(json), true)
  })

  it('ends with 65 for what the host refuses, with all the fields of the refusal as JSON', async () => {
    const { code, stdout, stderr } = await fleet('takeover', '--reason', 'dark', '--dry-run')
    deepEqual([code, stdout], [65, ''])
    match(stderr, /^actuation_unavailable: .* Set it, and start the host again\.$/m)
    const json = await fleet('takeover', '--reason', 'dark', '--json')
    equal(json.code, 65)
    equal(jsonField(JSON.parse(json.stderr), 'setting'), 'token')
  })

  it('announces, and rejects an announcement that the row would refuse before it is sent', async () => {
    const announced = ['announce', '--apex', 'Nikąd', '--request', '7', '--at', '2026-06-15T12:00:00Z']
    const { code, stdout } = await fleet(...announced)
    deepEqual([code, stdout], [0, 'Recorded. A converge begins soon.\n'])
    equal((await fleet(...announced, '--dry-run')).stdout, 'Nothing was recorded.\n')
    equal(jsonField(JSON.parse((await fleet(...announced, '--json')).stdout), 'recorded'), true)
  })

  it('watches into a pipe by lines of JSON, until SIGINT', async () => {
    const args = [binary, 'fleet', 'status', '--watch', '--json', '--repo', repo()]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    const looks: Array<unknown> = []
    for await (const line of createInterface({ input: child.stdout })) {
      looks.push(JSON.parse(line))
      if (looks.length === 2) child.kill('SIGINT')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    equal(child.exitCode, 0)
    deepEqual(looks.map(FleetPeers.is), [true, true])
  })
})
