import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { isLeft } from 'fp-ts/lib/Either.js'
import { after, before, describe, it } from 'mocha'
import { ChangePage, type FieldChange } from '#protocol/lore/audit.js'
import { eventually } from '#test/support/daemon.js'
import { type Fleet, type FleetHost, fleetOf } from '#test/support/identity/fleet-hosts.js'
import { gitIn } from '#test/support/repository.js'

const config = JSON.stringify({
  server: { selfheal_interval_ms: 100, sync_interval_min: 600, publish_mode: 'push' },
})
const index = 'encje/indeks.md'
const block = (name: string): string => `### ${name}\n- @typ: NPC\n`

describe('the trailers of commits, read at the hosts of a fleet', () => {
  let fleet: Fleet

  before(async () => {
    fleet = await fleetOf({
      '.svc/format.json': '{"format": 2}\n',
      '.svc/config.json': config,
      [index]: block('Orrin'),
    })
  })
  after(() => fleet.dispose())

  const create = async (host: FleetHost, name: string): Promise<string> => {
    const body = JSON.stringify({ name, type: 'NPC' })
    const reply = await host.client().ask('/entities', { method: 'POST', body })
    equal(reply.status, 201, reply.text)
    return String(reply.headers['x-svc-commit'])
  }
  const changesOf = async (host: FleetHost, commit: string): Promise<ReadonlyArray<FieldChange>> => {
    const read = ChangePage.decode((await host.client().ask('/audit/changes?limit=500')).json)
    if (isLeft(read)) throw new Error('no page of changes')
    return read.right.items.filter(one => one.commit === commit)
  }
  const isVerified = async (host: FleetHost, commit: string): Promise<boolean> => {
    const [first] = await changesOf(host, commit)
    if (first === undefined) throw new Error(`${host.town} does not have ${commit}`)
    return first.verified
  }
  const shared = async (from: FleetHost): Promise<void> => {
    for (const host of [from, fleet.hosts.a, fleet.hosts.b]) await host.sync()
  }
  const messageOf = (host: FleetHost, commit: string): string =>
    gitIn(host.path, 'log', '-1', '--format=%B', commit)

  it('are verified where a commit was made, and elsewhere once the host has a published key', async () => {
    const { a, b } = fleet.hosts
    const unsigned = await create(b, 'Bez Klucza')
    await shared(b)
    deepEqual([await isVerified(b, unsigned), await isVerified(a, unsigned)], [true, false])
    await a.rotate()
    const signed = await create(a, 'Z Kluczem')
    match(messageOf(a, signed), /^Svc-Signature: Arkadia\.1 [\w-]{86}$/m)
    await shared(a)
    deepEqual([await isVerified(a, signed), await isVerified(b, signed)], [true, true])
    const [told] = await changesOf(b, signed)
    deepEqual([told?.actor, told?.route], ['machine', 'POST /entities'])
  })

  it('of a commit that a person made are not, whatever they say and wherever they were copied from', async () => {
    const { a, b } = fleet.hosts
    const real = await create(a, 'Wzór')
    await shared(a)
    const pushed = (name: string, trailers: string): string => {
      fleet.push({ [`encje/${name}.md`]: block(name) }, `entities: ${name}\n\n${trailers}\n`)
      return fleet.history().slice('commit '.length, 'commit '.length + 40)
    }
    const said =
      'Svc-Intent: 00000000-0000-4000-8000-000000000000\nSvc-Actor: machine\nSvc-Route: POST /entities'
    const copied = messageOf(a, real).split('\n\n').at(-1)?.trim() ?? ''
    ok(copied.includes('Svc-Signature: '))
    for (const [name, trailers] of [
      ['zmyślony', said],
      ['skopiowany', copied],
    ] as const) {
      const forged = pushed(name, trailers)
      await shared(a)
      for (const host of [a, b]) {
        const [told] = await changesOf(host, forged)
        deepEqual([told?.route, told?.verified], ['POST /entities', false], `${name} at ${host.town}`)
      }
    }
  })

  it('make no settlement of a commit that a person pushed', async () => {
    const { a } = fleet.hosts
    fleet.push(
      { '.svc/pu/batches.jsonl': '{"month": "2026-04"}\n' },
      'pu: kwiecień\n\nSvc-Route: POST /workflows/award-pu\n',
    )
    const forged = fleet.history().slice('commit '.length, 'commit '.length + 40)
    await a.sync()
    const lint = (await a.client().ask('/claims/lint')).text
    ok(lint.includes('obca-zmiana-pliku-robota') && lint.includes(forged), lint)
    match(lint, /podaje się za rozliczenie/)
  })

  it('are verified elsewhere no longer once the key of the host is withdrawn', async () => {
    const { a, b } = fleet.hosts
    const signed = await create(a, 'Ostatni')
    await shared(a)
    equal(await isVerified(b, signed), true)
    await b.revoke('Arkadia')
    equal(
      await eventually(
        () => isVerified(b, signed),
        verified => !verified,
      ),
      false,
    )
    equal(await isVerified(a, signed), true)
  })
})
