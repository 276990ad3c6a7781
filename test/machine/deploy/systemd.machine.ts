import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'mocha'
import { startDaemon } from '#test/support/daemon.js'
import { findFreePort } from '#test/support/free-port.js'
import { askTarget } from '#test/support/http-client.js'
import { jsonField } from '#test/support/json-field.js'
import { repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { root } from '#test/tidy/sources.js'
import { hasTool } from '../tool.js'

const unitFile = join(root, 'deploy/systemd/kronika.service')
const valuesFile = join(root, 'deploy/systemd/kronika.env')

/** How exposed the service may be, in tenths of the score of systemd: 0 is not at all, 100 fully. */
const exposureMax = 25

const runAnalyze = (
  ...args: ReadonlyArray<string>
): { readonly status: number | null; readonly text: string } => {
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

/** V8 asks whether the processor has keys for memory, and does without them. */
const dispensable: ReadonlySet<string> = new Set(['pkey_alloc'])

/** The system calls that a group of systemd allows, those of the groups in it included. */
const callsOf = (group: string): ReadonlySet<string> => {
  const lines = runAnalyze('syscall-filter', group)
    .text.split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && line !== group && !line.startsWith('#'))
  return new Set(lines.flatMap(line => (line.startsWith('@') ? [...callsOf(line)] : [line])))
}

/** The system calls in what `strace -f` wrote. */
const callsIn = (trace: string): ReadonlySet<string> =>
  new Set([...trace.matchAll(/^\d+ +([a-z_]\w*)\(/gm)].map(([, name = '']) => name))

/** The values that the unit reads, as they are shipped. */
const readShippedValues = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...readFileSync(valuesFile, 'utf8').matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  )

const fieldOf = (unit: string, name: string): string =>
  new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

describe('the unit of systemd', () => {
  const unit = readFileSync(unitFile, 'utf8')

  it('is valid, alone and with the secrets beside it', function () {
    if (!hasTool('systemd-analyze')) this.skip()
    const folder = temporaryFolder()
    try {
      const file = join(folder.path, 'kronika.service')
      cpSync(unitFile, file)
      deepEqual(runAnalyze('verify', file), { status: 0, text: '' })
      mkdirSync(`${file}.d`)
      cpSync(join(root, 'deploy/systemd/secrets.conf'), join(`${file}.d`, 'secrets.conf'))
      deepEqual(runAnalyze('verify', file), { status: 0, text: '' })
    } finally {
      folder.dispose()
    }
  })

  it(`is exposed at most ${exposureMax / 10} of 10`, function () {
    if (!hasTool('systemd-analyze')) this.skip()
    const judged = runAnalyze('security', '--offline=true', `--threshold=${exposureMax}`, unitFile)
    equal(judged.status, 0, judged.text)
  })

  describe('starts a host', () => {
    let calls: ReadonlySet<string>
    before(async function () {
      if (!['systemd-analyze', 'strace'].every(hasTool)) this.skip()
      const folder = temporaryFolder()
      const trace = join(folder.path, 'calls')
      const repository = repositoryOf({
        '.svc/format.json': '{"format": 2}\n',
        '.svc/config.json': '{"server": {"publish_mode": "push"}}\n',
      })
      repository.git('clone', '-q', '--bare', repository.path, join(folder.path, 'remote.git'))
      repository.git('remote', 'add', 'origin', join(folder.path, 'remote.git'))
      const [port, opsPort] = [await findFreePort(), await findFreePort()]
      const values: Readonly<Record<string, string>> = {
        ...readShippedValues(),
        KRONIKA_PORT: String(port),
        KRONIKA_OPS_PORT: String(opsPort),
      }
      const [, program = '', ...args] = fieldOf(unit, 'ExecStart').split(' ')
      equal(program, '/opt/kronika/dist/src/main.js')
      const given = args.map(arg =>
        arg === '/srv/lore'
          ? repository.path
          : arg.replace(/^\$\{(\w+)\}$/, (_, name: string) => values[name] ?? ''),
      )
      const daemon = await startDaemon(given, {}, { within: ['strace', '-f', '-o', trace] })
      try {
        equal(daemon.ready.town, '', 'the only host has no town')
        equal(daemon.ready.url, `http://127.0.0.1:${port}/v1/api`)
        equal(daemon.ready.ops, `http://127.0.0.1:${opsPort}`)
        const ask = { method: 'POST', token: daemon.token }
        const body = JSON.stringify({ name: 'Karczma', type: 'Lokacja' })
        const pull = await askTarget(port, '/v1/api/sync', ask)
        equal(pull.status, 200, pull.text)
        const written = await askTarget(port, '/v1/api/entities', { ...ask, body })
        equal(written.status, 201, written.text)
        const push = await askTarget(port, '/v1/api/sync', ask)
        equal(push.status, 200, push.text)
        equal(jsonField(push.json, 'unpublished'), 0, push.text)
      } finally {
        process.kill(daemon.ready.pid, 'SIGTERM')
        equal(await daemon.stop('SIGCONT'), 0)
        calls = callsIn(readFileSync(trace, 'utf8'))
        for (const one of [folder, repository]) one.dispose()
      }
    })

    it('by system calls alone that it allows, git included', () => {
      const allowed = callsOf(fieldOf(unit, 'SystemCallFilter'))
      ok(calls.has('execve') && calls.has('fsync') && calls.has('bind'), [...calls].join(' '))
      deepEqual(
        [...calls].filter(call => !allowed.has(call) && !dispensable.has(call)),
        [],
      )
    })
  })
})
