import { deepEqual, equal, ok } from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import { packBinary } from '#test/pack/prebuilt.js'
import { canMakeNamespaces, makeNamespaces, type Namespaces } from '#test/scenario/namespaces/namespaces.js'
import { eventually } from '#test/support/daemon.js'
import { temporaryFolder } from '#test/support/repository.js'
import { root } from '#test/tidy/sources.js'
import { hasTool } from '../tool.js'
import { type BareImage, buildBare, commandIn } from './bare-folder.js'
import { readYaml, type Service, servicesOf } from './compose.js'
import { stagesOf } from './dockerfile.js'

const container = join(root, 'deploy/container')
const read = (name: string): string => readFileSync(join(container, name), 'utf8')

const tools = ['ip', 'unshare', 'setpriv', 'lighttpd', 'caddy', 'prometheus', 'curl', 'python3']

/** Whether an engine runs that has, or can fetch, the bases of all stages. */
const canBuildImages = (): boolean =>
  spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0 &&
  stagesOf(read('Dockerfile')).every(
    ({ base }) => spawnSync('docker', ['pull', '--quiet', base], { stdio: 'ignore' }).status === 0,
  )

describe('the files of the image', () => {
  it('keep out of it what git ignores', () => {
    const lines = (path: string): ReadonlyArray<string> =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .map(line => line.replace(/\/$/, ''))
        .filter(line => line !== '')
    const kept = new Set(lines('.dockerignore'))
    deepEqual(
      lines('.gitignore').filter(line => !kept.has(line)),
      [],
    )
  })

  it('are built by an engine where one runs and has the bases', function () {
    this.timeout(900_000)
    if (!canBuildImages()) {
      process.stdout.write('      no engine, or no base: the steps run in bare folders\n')
      return this.skip()
    }
    for (const target of ['git', 'host']) {
      const args = ['build', '--file', join(container, 'Dockerfile'), '--target', target, root]
      const { status, stderr } = spawnSync('docker', args, { encoding: 'utf8' })
      equal(status, 0, stderr)
    }
  })
})

describe('the compose file, its images made in bare folders', function () {
  // A busy machine needs minutes for npm ci and the build.
  this.timeout(1_200_000)
  const folder = temporaryFolder()
  const running = new Map<string, ChildProcess>()
  let images: ReadonlyMap<string, BareImage>
  let services: ReadonlyMap<string, Service>
  let net: Namespaces | null = null

  const inNet = (argv: ReadonlyArray<string>): ReadonlyArray<string> => [
    ...(net?.within('pod') ?? []),
    ...argv,
  ]

  /** The command of a service and the environment that it sees. */
  const launchOf = (name: string, argv?: ReadonlyArray<string>) => {
    const service = services.get(name)
    const image = images.get(name === 'git' ? 'git' : 'host')
    if (service === undefined || image === undefined) throw new Error(`no service ${name}`)
    const mounts = [...service.volumes].map(([to, volume]) => {
      const from = join(folder.path, 'volumes', volume)
      mkdirSync(from, { recursive: true })
      chownSync(from, Number(image.user?.uid), Number(image.user?.gid))
      return { from, to }
    })
    const entry = service.entrypoint.length > 0 ? service.entrypoint : image.entrypoint
    const [program = '', ...args] = inNet(commandIn(image, argv ?? entry, mounts))
    const env = { PATH: process.env['PATH'], HOME: '/nonexistent', ...image.env, ...service.environment }
    return { program, args, env }
  }

  const start = (
    name: string,
    program: string,
    args: ReadonlyArray<string>,
    env: NodeJS.ProcessEnv,
  ): void => {
    running.set(name, spawn(program, args, { env, stdio: 'ignore' }))
  }

  const run = (
    name: string,
    argv?: ReadonlyArray<string>,
  ): { readonly status: number | null; readonly said: string } => {
    const { program, args, env } = launchOf(name, argv)
    const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' })
    return { status, said: stdout + stderr }
  }

  const fetchText = (url: string, ...flags: ReadonlyArray<string>): string => {
    const [program = '', ...args] = inNet(['curl', '-s', '-w', '\n%{http_code}', ...flags, url])
    return spawnSync(program, args, { encoding: 'utf8' }).stdout
  }

  const isSoon = (ask: () => string, has: string): Promise<string> =>
    eventually(
      () => Promise.resolve(ask()),
      text => text.includes(has),
    )

  before(async function () {
    if (!tools.every(hasTool) || !canMakeNamespaces()) this.skip()
    const file = readYaml(read('compose.yaml'))
    if (file === null) this.skip()
    services = servicesOf(file)
    const env = { ...process.env, npm_config_prefer_offline: 'true', ...packBinary(folder.path) }
    images = buildBare(stagesOf(read('Dockerfile')), join(folder.path, 'images'), env)
    net = makeNamespaces(['pod'])
    const git = launchOf('git')
    start('git', git.program, git.args, git.env)
    await isSoon(
      () => String(run('git', ['git', 'ls-remote', 'http://127.0.0.1:8418/git/lore.git']).status),
      '0',
    )
    const seeded = run('seed')
    equal(seeded.status, 0, seeded.said)
    for (const town of ['arkadia', 'tatalia', 'deyja']) {
      const { program, args, env: own } = launchOf(town)
      start(town, program, args, own)
    }
    const [caddy = '', ...rest] = inNet([
      'caddy',
      'run',
      '--adapter',
      'caddyfile',
      '--config',
      join(container, 'Caddyfile'),
    ])
    start('caddy', caddy, rest, { ...process.env, XDG_CONFIG_HOME: folder.path, XDG_DATA_HOME: folder.path })
  })

  after(async () => {
    for (const child of running.values())
      if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'close')
    net?.close()
    folder.dispose()
  })

  it('serves three hosts, each healthy as its image asks', async () => {
    for (const town of ['arkadia', 'tatalia', 'deyja'])
      await isSoon(() => String(run(town, images.get('host')?.health).status), '0')
  })

  it('publishes the API of the apex alone', async () => {
    await isSoon(() => fetchText('http://127.0.0.1:8080/v1/api/fleet/status'), '"town":"Arkadia"')
    ok(fetchText('http://127.0.0.1:8080/v1/api/health').endsWith('\n200'))
    for (const path of ['/', '/metrics', '/v1/api/../../metrics'])
      equal(fetchText(`http://127.0.0.1:8080${path}`, '--path-as-is'), '\n404', path)
  })

  it('shows a write of the apex on another host', async () => {
    const token = readFileSync(join(folder.path, 'volumes/arkadia/.svc/state/machine.token'), 'utf8').trim()
    const other = readFileSync(join(folder.path, 'volumes/tatalia/.svc/state/machine.token'), 'utf8').trim()
    const auth = (of: string): ReadonlyArray<string> => ['-H', `Authorization: Bearer ${of}`]
    await isSoon(() => fetchText('http://127.0.0.1:4181/v1/api/health'), '"mode":"ReadWrite"')
    const written = fetchText(
      'http://127.0.0.1:8080/v1/api/entities',
      ...auth(token),
      ...['-H', 'Content-Type: application/json', '-d', '{"name": "Karczma", "type": "Lokacja"}'],
    )
    ok(written.endsWith('\n201'), written)
    await isSoon(() => {
      fetchText('http://127.0.0.1:4182/v1/api/sync', ...auth(other), '-X', 'POST')
      return fetchText('http://127.0.0.1:4182/v1/api/entities/Karczma', ...auth(other))
    }, '\n200')
  })

  it('lets Prometheus scrape every host, and nothing beyond the pod reach an operations listener', async () => {
    const config = join(folder.path, 'prometheus.yml')
    spawnSync('cp', [
      join(container, 'prometheus.yml'),
      join(root, 'deploy/prometheus/kronika.rules.yml'),
      folder.path,
    ])
    const options = [`--config.file=${config}`, `--storage.tsdb.path=${join(folder.path, 'data')}`]
    const [program = '', ...args] = inNet(['prometheus', ...options])
    start('prometheus', program, args, process.env)
    const query = 'http://127.0.0.1:9090/api/v1/query?query=count(up%3D%3D1)'
    await isSoon(() => fetchText(query), '"3"]')
    for (const port of [4181, 9464])
      equal(fetchText(`http://${net?.addressOf('pod') ?? ''}:${port}/livez`), '\n000')
  })

  it('ends each host with 0 on SIGTERM', async () => {
    for (const town of ['arkadia', 'tatalia', 'deyja']) {
      const child = running.get(town)
      if (child === undefined) throw new Error(`${town} does not run`)
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      deepEqual(await ended, [0, null], town)
    }
  })
})
