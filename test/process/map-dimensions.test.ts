import { deepEqual, equal, ok } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { after, before, describe, it } from 'mocha'
import { Dimensions } from '#protocol/lore/maps.js'
import { mapHost, publicAddress } from '#test/support/hostile/map-server.js'
import { gitIn, repositoryOf, temporaryFolder } from '#test/support/repository.js'
import { root } from '#test/tidy/sources.js'

/** A network of its own: the host of the pictures has an address that looks public, and names are those of the file. */
const inNetwork = [
  '-rnmpf',
  '--mount-proc',
  '--kill-child',
  'sh',
  '-ec',
  `ip link set lo up; ip addr add ${publicAddress.address}/32 dev lo; mount --bind "$0" /etc/hosts; exec "$@"`,
]
const canUnshare =
  spawnSync('unshare', [...inNetwork, '/etc/hosts', 'openssl', 'version'], { stdio: 'ignore' }).status === 0

const names = [mapHost, 'rebind.example', 'private.example']
const hostsFile = [
  `${publicAddress.address} ${mapHost} rebind.example`,
  '127.0.0.1 rebind.example',
  '10.0.0.7 private.example',
  '',
].join('\n')

/** Each address with what must be said of it; null where it has a size. */
const pictures: ReadonlyArray<readonly [url: string, reason: string | null]> = [
  ['/good.png', null],
  ['/drip.png', 'Timeout'],
  ['/late.jpg', null],
  ['/silent.png', 'Timeout'],
  ['/hops/5', null],
  ['/lying.png', 'Unreachable'],
  ['/pours.png', null],
  ['/head', 'BadAnswer'],
  ['/odd.png', 'NotTileMultiple:3070x2048'],
  ['/hops/6', 'TooManyRedirects'],
  ['/endless.jpg', 'NotAnImage'],
  ['/junk', 'NotAnImage'],
  ['/broken.jpg', 'NotAnImage'],
  ['/gone.png', 'Status:404'],
  ['/busy.png', 'Status:503'],
  ['/to/loopback', 'HostNotAllowed'],
  ['/to/rebind', 'AddressNotAllowed'],
  ['https://rebind.example/good.png', 'AddressNotAllowed'],
  ['https://private.example/good.png', 'AddressNotAllowed'],
  ['https://127.0.0.1/good.png', 'HostNotAllowed'],
  [`http://${mapHost}/good.png`, 'HostNotAllowed'],
]
const urlOf = (url: string): string => (url.startsWith('/') ? `https://${mapHost}${url}` : url)
const nameOf = (at: number): string => `Plan ${String(at).padStart(3, '0')}`
const block = (name: string, url: string): string => `### ${name}\n- @typ: Mapa\n- @url: ${url}\n`
const mapsMax = 300
/** How often the loop is looked at: it is part of every pause that is measured. */
const resolutionMs = 10

const Answers = t.type({
  answers: t.readonlyArray(
    t.type({ status: t.number, answer: Dimensions, lagMs: t.number, beforeMb: t.number, afterMb: t.number }),
  ),
  journal: t.type({ items: t.readonlyArray(t.type({ kind: t.string, payload: t.UnknownRecord })) }),
  loopback: t.readonlyArray(t.string),
})

describe('the built daemon against a hostile server of maps', () => {
  let repository: ReturnType<typeof repositoryOf>
  let folder: ReturnType<typeof temporaryFolder>
  let seen: t.TypeOf<typeof Answers>

  before(function () {
    this.timeout(170_000)
    if (!canUnshare) {
      process.stdout.write('      unshare makes no network here: not tried\n')
      this.skip()
    }
    folder = temporaryFolder()
    const pictured = Array.from({ length: mapsMax }, (_, at) => pictures[at % pictures.length]?.[0] ?? '')
    const maps = pictured.map((url, at) => block(nameOf(at), urlOf(url)))
    const config = {
      integrations: {
        game: { map_hosts: names, map_checkup: { timeout_ms: 400, request_delay_ms: 1 } },
      },
      schedules: { map_checkup: 'off' },
    }
    repository = repositoryOf({
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': JSON.stringify(config),
      'encje/indeks.md': maps.slice(0, 200).join('\n'),
      'encje/indeks-02.md': [...maps.slice(200), '### Miasto\n- @typ: Lokacja\n'].join('\n'),
    })
    gitIn(folder.path, 'clone', '-q', repository.path, join(folder.path, 'lore'))
    writeFileSync(join(folder.path, 'hosts'), hostsFile)
    const named = [...pictures.map((_, at) => nameOf(at)), 'Miasto']
    writeFileSync(
      join(folder.path, 'requests.json'),
      JSON.stringify([{ names: named }, { maxMaps: mapsMax }, { maxMaps: mapsMax }]),
    )
    const program = ['--conditions=source', '--import', 'tsx', join(root, 'test/support/hostile/map-run.ts')]
    const args = [...inNetwork, join(folder.path, 'hosts'), process.execPath, ...program, folder.path]
    const run = spawnSync('unshare', args, { cwd: root, encoding: 'utf8', timeout: 160_000 })
    equal(run.status, 0, run.stderr)
    const read = Answers.decode(JSON.parse(readFileSync(join(folder.path, 'answers.json'), 'utf8')))
    if (isLeft(read)) throw new Error('the answers are not as the contract says')
    seen = read.right
  })
  after(() => {
    if (!canUnshare) return
    repository.dispose()
    folder.dispose()
  })

  it('says of each picture what it is, and reaches nothing on its own machine', () => {
    const [named] = seen.answers
    if (named === undefined) throw new Error('no answer')
    equal(named.status, 200)
    deepEqual(named.answer.failed, [
      { name: 'Miasto', reason: 'NotAMapa' },
      ...pictures.flatMap(([, reason], at) => (reason === null ? [] : [{ name: nameOf(at), reason }])),
    ])
    deepEqual(
      named.answer.measured.map(({ wymiary }) => wymiary),
      ['96x64', '20x10', '96x64', '2x1'],
    )
    deepEqual(seen.loopback, [])
  })

  it('makes one commit of a call, and tells how far it is', () => {
    const lore = join(folder.path, 'lore')
    const log = gitIn(lore, 'log', '--format=%s %(trailers:key=Svc-Route,valueonly,separator=%x2C)').split(
      '\n',
    )
    deepEqual(log.slice(0, 2), [
      `maps: sizes of ${seen.answers[1]?.answer.measured.length ?? 0} maps POST /maps/dimensions`,
      'maps: sizes of 4 maps POST /maps/dimensions',
    ])
    const runs = seen.journal.items.flatMap(({ kind, payload: { done, total } }) =>
      kind === 'mapdimensions:progress' && done === total ? [done] : [],
    )
    const measured = seen.answers.map(({ answer }) => answer.measured.length)
    deepEqual(runs, [
      pictures.length,
      mapsMax - (measured[0] ?? 0),
      mapsMax - (measured[0] ?? 0) - (measured[1] ?? 0),
    ])
  })

  it('sweeps 300 maps without keeping what it read, and prints how long it held up the loop', () => {
    const [, first, again] = seen.answers
    if (first === undefined || again === undefined) throw new Error('no sweep')
    deepEqual([first.answer.cursor, again.answer.cursor], [0, 0])
    const says = [first, again].map(
      ({ lagMs, beforeMb, afterMb }) =>
        `lag p99 ${(lagMs - resolutionMs).toFixed(1)} ms, ${beforeMb} to ${afterMb} MB`,
    )
    process.stdout.write(`      ${says.join('; again ')}\n`)
    // The first sweep commits, and the heap grows to what any work makes of it; what a sweep keeps shows in the next.
    ok(again.afterMb - again.beforeMb < 16, `${again.beforeMb} MB before, ${again.afterMb} MB after`)
  })
})
