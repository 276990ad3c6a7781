import { deepEqual, equal, ok } from 'node:assert/strict'
import { left } from 'fp-ts/lib/Either.js'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { refuse } from '#protocol/refusal.js'
import { type GateState, gateRefusal } from '#src/domain/admin/gate-arms.js'
import { openMeasureMaps } from '#src/node/maps.js'
import type { PictureSize } from '#src/ports/host.js'
import { callerWith, nodeView, type TestFront, testFront } from '#test/support/front.js'
import { jsonField } from '#test/support/json-field.js'
import { worldOf } from '#test/support/world.js'
import { textsOf } from '#test/support/writing-world.js'

const map = (name: string, rows: ReadonlyArray<string>): string =>
  [`### ${name}`, '- @typ: Mapa', ...rows.map(row => `- ${row}`), ''].join('\n')
const urlOf = (name: string): string => `https://maps.example/${name}.png`

const index = [
  map('Bór', [`@url: ${urlOf('bor')}`]),
  map('Młyn', ['@alias: Stary młyn', `@url: ${urlOf('mlyn')}`, '@wymiary: 9x9']),
  map('Gród', ['@alias: Warownia', `@url: ${urlOf('grod')}`]),
  map('Zamek', ['@alias: Warownia', `@url: ${urlOf('zamek')}`]),
  map('Ruina', ['@status: Nieaktywny', `@url: ${urlOf('ruina')}`]),
  map('Staw', []),
  map('Wieża', ['@ref: encje/wieza.md', '@url: https://nothing.example/']),
  '### Miasto\n- @typ: Lokacja\n',
].join('\n')
const field = ({ json }: { readonly json: unknown }, name: string): unknown => jsonField(json, name)

const files = {
  '.svc/format.json': '{"format": 2}',
  'encje/indeks.md': index,
  'encje/wieza.md': `- @url: ${urlOf('wieza')}\n`,
}

describe('POST /maps/dimensions', () => {
  let front: TestFront
  let asked: Array<string>
  let sizes: Record<string, PictureSize>
  let whileMeasuring: () => void
  let gate: Partial<GateState>
  beforeEach(async () => {
    asked = []
    sizes = {}
    gate = {}
    whileMeasuring = () => undefined
    const measureMaps = openMeasureMaps(
      {
        measure: url => {
          asked.push(url)
          whileMeasuring()
          return Promise.resolve(sizes[url] ?? { _tag: 'Size', width: 320, height: 640 })
        },
        pause: () => Promise.resolve(),
        monotonicMs: () => asked.length * 100,
        publish: () => undefined,
      },
      { delayMs: 0, failureBudget: 2 },
    )
    front = await testFront({
      snapshot: worldOf(files),
      node: nodeView({ measureMaps, mapsPerBatch: 3 }),
      gate: (_row, dryRun) =>
        gateRefusal({ format: 'Current', syncStale: false, mode: 'ReadWrite', ...gate }, dryRun),
      callers: {
        narrow: callerWith(['location.override']),
        wide: callerWith(['location.all', 'workflow.all']),
      },
    })
  })
  afterEach(() => front.close())

  const text = (): string => textsOf(front.world() ?? worldOf(files))['encje/indeks.md'] ?? ''
  const ask = (body: unknown, query = '', token?: string) =>
    front.client.ask(`/maps/dimensions${query}`, {
      method: 'POST',
      body: JSON.stringify(body),
      ...(token === undefined ? {} : { token }),
    })
  const measured = (name: string, wymiary = '10x20', changed = true) => ({ name, wymiary, changed })

  it('measures named maps, also those whose size is known, each once', async () => {
    const reply = await ask({ names: ['młyn', 'Bór', 'Stary młyn', 'Bór'] })
    equal(reply.status, 200, reply.text)
    deepEqual(reply.json, {
      measured: [measured('Młyn'), measured('Bór')],
      failed: [],
      cursor: 0,
      budgetExhausted: false,
    })
    deepEqual(asked, [urlOf('mlyn'), urlOf('bor')])
    equal(
      text(),
      index.replace('@wymiary: 9x9', '@wymiary: 10x20').replace(`bor.png\n`, `bor.png\n- @wymiary: 10x20\n`),
    )
    const again = await ask({ names: ['Bór'] })
    deepEqual(field(again, 'measured'), [measured('Bór', '10x20', false)])
  })

  it('says of each other map why it has no size, and asks no server for those', async () => {
    sizes[urlOf('bor')] = { _tag: 'NoSize', reason: 'HostNotAllowed' }
    sizes[urlOf('mlyn')] = { _tag: 'Size', width: 321, height: 640 }
    const names = ['Miasto', 'Nic', 'Warownia', 'Ruina', 'Staw', 'Wieża', 'Bór', 'Młyn']
    const reply = await ask({ names })
    deepEqual(reply.json, {
      measured: [],
      failed: [
        { name: 'Miasto', reason: 'NotAMapa' },
        { name: 'Nic', reason: 'NotAMapa' },
        { name: 'Warownia', reason: 'AmbiguousName' },
        { name: 'Ruina', reason: 'NotActive' },
        { name: 'Staw', reason: 'NoUrl' },
        { name: 'Wieża', reason: 'NotWritable' },
        { name: 'Bór', reason: 'HostNotAllowed' },
        { name: 'Młyn', reason: 'NotTileMultiple:321x640' },
      ],
      cursor: 0,
      budgetExhausted: false,
    })
    deepEqual(asked, [urlOf('bor'), urlOf('mlyn')])
    equal(text(), index)
  })

  it('goes through the catalogue by slices, without maps whose size is known', async () => {
    const first = await ask({ maxMaps: 3 })
    deepEqual(first.json, {
      measured: [measured('Bór'), measured('Gród')],
      failed: [],
      cursor: 3,
      budgetExhausted: false,
    })
    const next = await ask({ cursor: 3 })
    deepEqual(next.json, {
      measured: [measured('Zamek')],
      failed: [
        { name: 'Staw', reason: 'NoUrl' },
        { name: 'Wieża', reason: 'NotWritable' },
      ],
      cursor: 0,
      budgetExhausted: false,
    })
    deepEqual(asked, [urlOf('bor'), urlOf('grod'), urlOf('zamek')])
    deepEqual(field(await ask({ cursor: 99 }), 'cursor'), 0)
  })

  it('stops where its time is over: a slice at its cursor, names as not reached', async () => {
    const slice = await ask({ maxMaps: 9, maxMillis: 100 })
    deepEqual(
      [field(slice, 'measured'), field(slice, 'failed'), field(slice, 'cursor')],
      [[measured('Bór')], [], 1],
    )
    const named = await ask({ names: ['Gród', 'Zamek'], maxMillis: 100 })
    deepEqual(named.json, {
      measured: [measured('Gród')],
      failed: [{ name: 'Zamek', reason: 'NotReached' }],
      cursor: 0,
      budgetExhausted: false,
    })
  })

  it('stops when the failure budget is spent', async () => {
    for (const name of ['bor', 'grod']) sizes[urlOf(name)] = { _tag: 'NoSize', reason: 'Timeout' }
    deepEqual((await ask({ maxMaps: 9 })).json, {
      measured: [],
      failed: [
        { name: 'Staw', reason: 'NoUrl' },
        { name: 'Wieża', reason: 'NotWritable' },
        { name: 'Bór', reason: 'Timeout' },
        { name: 'Gród', reason: 'Timeout' },
      ],
      cursor: 5,
      budgetExhausted: true,
    })
  })

  it('pays for a dry run and writes nothing', async () => {
    const reply = await ask({ names: ['Bór'] }, '?dryRun=true')
    deepEqual([reply.status, field(reply, 'measured'), asked.length], [200, [measured('Bór')], 1])
    ok(String(field(reply, 'diff')).includes('+- @wymiary: 10x20'))
    equal(text(), index)
  })

  it('writes no size to a map that changed while its picture was read', async () => {
    const changes: ReadonlyArray<readonly [from: string, to: string, reason: string]> = [
      [urlOf('bor'), urlOf('las'), 'Changed'],
      ['### Bór', '### Las', 'NotAMapa'],
      ['### Bór\n- @typ: Mapa', '### Bór\n- @typ: Mapa\n- @status: Usunięty', 'NotActive'],
    ]
    for (const [from, to, reason] of changes) {
      const changed = index.replace(from, to)
      whileMeasuring = () => front.serve(worldOf({ ...files, 'encje/indeks.md': changed }))
      const reply = await ask({ names: ['Bór', 'Gród'] })
      deepEqual(field(reply, 'failed'), [{ name: 'Bór', reason }])
      deepEqual(field(reply, 'measured'), [measured('Gród')])
      equal(text(), changed.replace('grod.png\n', 'grod.png\n- @wymiary: 10x20\n'))
      front.serve(worldOf(files))
    }
  })

  const bad: ReadonlyArray<readonly [what: string, body: unknown, refusal: string]> = [
    ['both forms', { names: ['Bór'], maxMaps: 1 }, '400 MapDimensionsSelectionConflict'],
    ['both forms, by a cursor', { names: ['Bór'], cursor: 0 }, '400 MapDimensionsSelectionConflict'],
    ['51 names', { names: Array.from({ length: 51 }, () => 'Bór') }, '400 MapDimensionsTooManyNames'],
    ['neither form', {}, '400 BodyInvalid $'],
    ['a time alone', { maxMillis: 5 }, '400 BodyInvalid $'],
    ['no names', { names: [] }, '400 BodyInvalid $.names'],
    ['a text for names', { names: 'Bór' }, '400 BodyInvalid $.names'],
    ['a number for a name', { names: [1] }, '400 BodyInvalid $.names[0]'],
    ['no maps', { maxMaps: 0 }, '400 BodyInvalid $.maxMaps'],
    ['half a map', { maxMaps: 1.5 }, '400 BodyInvalid $.maxMaps'],
    ['a cursor before the first map', { maxMaps: 1, cursor: -1 }, '400 BodyInvalid $.cursor'],
    ['a time before now', { names: ['Bór'], maxMillis: -1 }, '400 BodyInvalid $.maxMillis'],
    ['another key', { names: ['Bór'], host: 'maps.example' }, '400 BodyInvalid $.host'],
  ]
  for (const [what, body, refusal] of bad)
    it(`refuses ${what}, and asks for nothing`, async () => {
      const reply = await ask(body)
      const path = field(reply, 'path')
      equal(
        `${reply.status} ${String(field(reply, 'error'))}${typeof path === 'string' ? ` ${path}` : ''}`,
        refusal,
      )
      deepEqual(asked, [])
    })

  it('needs a second capability for a slice', async () => {
    const refused = await ask({ maxMaps: 1 }, '', 'narrow')
    deepEqual([refused.status, field(refused, 'required')], [403, 'workflow.map_checkup'])
    deepEqual(asked, [])
    equal((await ask({ names: ['Bór'] }, '', 'narrow')).status, 200)
    equal((await ask({ maxMaps: 1 }, '', 'wide')).status, 200)
  })

  it('asks the gate before it asks a server', async () => {
    gate = { mode: 'ReadOnly' }
    equal(field(await ask({ names: ['Bór'] }), 'error'), 'ReadOnly')
    deepEqual(asked, [])
    equal((await ask({ names: ['Bór'] }, '?dryRun=true')).status, 200)
    gate = { syncStale: true }
    equal(field(await ask({ names: ['Bór'] }, '?dryRun=true'), 'error'), 'SyncStale')
  })

  it('is refused while this host measures other maps', async () => {
    await front.close()
    const busy = left(refuse('Overloaded', 'This host is measuring maps already.'))
    front = await testFront({
      snapshot: worldOf(files),
      node: nodeView({ measureMaps: () => Promise.resolve(busy) }),
    })
    const reply = await ask({ names: ['Bór'] })
    deepEqual([reply.status, field(reply, 'error'), text()], [503, 'Overloaded', index])
  })
})
